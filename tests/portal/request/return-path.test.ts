import { expect, test } from 'vitest'
import { readReturnPath } from '@/lib/portal/request/return-path'

test.each(['/', '/servers', '/servers/abc/install', '/jobs?state=failed&x=%2F', '/activity?who=a+b'])('%s is gone back to', (path) => {
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
  `/${'x'.repeat(600)}`,
  undefined,
  ['/servers'],
])('%j leads Home instead', (given) => {
  expect(readReturnPath(given)).toBe('/')
})
