import { expect, test } from 'vitest'
import { readReturnPath, signInAddress } from '@/lib/portal/base/request/return-path'

test.each([
  '/',
  '/servers',
  '/servers/abc/install',
  '/jobs?state=failed&x=%2F',
  '/activity?who=a+b',
  '/jobs/abc#L120',
  `/servers?q=${'x'.repeat(1500)}`,
  '/%2561pi/x',
])('%s is gone back to', (path) => {
  expect(readReturnPath(path)).toBe(path)
})

test.each([
  '',
  'servers',
  'https://elsewhere.test/',
  '//elsewhere.test',
  '/\\elsewhere.test',
  '/.//elsewhere.test',
  '/..//elsewhere.test/x',
  '/%2e//elsewhere.test',
  '/a/..//elsewhere.test',
  '/\t/elsewhere.test',
  '/\n/elsewhere.test',
  'javascript:alert(1)',
  '/api/servers',
  '/api/auth/signout',
  '/sign-in?back=/',
  '/setup',
  '/%61pi/servers',
  '/%2f/elsewhere.test',
  '/%5celsewhere.test',
  '/a%0d%0ab',
  '/%zz',
  '/_next/static/x.js',
  `/${'x'.repeat(2000)}`,
  undefined,
  ['/servers'],
])('%j leads Home instead', (given) => {
  expect(readReturnPath(given)).toBe('/')
})

test('the sign-in page knows where to return to, unless that is Home', () => {
  expect(signInAddress('/servers?q=a b')).toBe('/sign-in?back=%2Fservers%3Fq%3Da%2520b')
  for (const asked of ['/', null, '//elsewhere.test', '/sign-in']) expect(signInAddress(asked)).toBe('/sign-in')
})
