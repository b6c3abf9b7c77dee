import { expect, test } from 'vitest'
import { findForeignOrigin } from '@/lib/portal/base/request/same-origin'

const judge = (publicUrl: string, headers: Record<string, string>) =>
  findForeignOrigin(new Headers(headers), new URL(publicUrl))?.code ?? 'ours'

test.each([
  ['https://gatehouse.example.org', { origin: 'https://gatehouse.example.org' }],
  ['https://gatehouse.example.org', { origin: 'https://gatehouse.example.org', 'sec-fetch-site': 'same-origin' }],
  ['http://localhost:3000', { origin: 'http://127.0.0.1:3000' }],
  ['http://127.0.0.1:3000', { origin: 'http://localhost:3000' }],
  ['http://localhost:3000', { origin: 'http://[::1]:3000' }],
])('a page of %s may send %j', (publicUrl, headers) => {
  expect(judge(publicUrl, headers)).toBe('ours')
})

test.each([
  ['an evil origin', { origin: 'https://evil.example' }],
  ['an origin that begins like ours', { origin: 'https://gatehouse.example.org.evil.example' }],
  ['our host over plain http', { origin: 'http://gatehouse.example.org' }],
  ['our host on another port', { origin: 'https://gatehouse.example.org:8443' }],
  ['an opaque origin, as sandboxed frames have', { origin: 'null' }],
  ['no origin', {}],
  ['an empty origin', { origin: '' }],
  ['two origins', { origin: 'https://gatehouse.example.org, https://evil.example' }],
  ['an origin with a path', { origin: 'https://gatehouse.example.org/' }],
  ['our origin from a cross-site page', { origin: 'https://gatehouse.example.org', 'sec-fetch-site': 'cross-site' }],
  ['our origin from a sibling site', { origin: 'https://gatehouse.example.org', 'sec-fetch-site': 'same-site' }],
  ['our origin typed into the address bar', { origin: 'https://gatehouse.example.org', 'sec-fetch-site': 'none' }],
  [
    'a forwarded host that equals the evil origin',
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', host: 'evil.example' },
  ],
  ['a loopback origin', { origin: 'https://localhost' }],
])('security 22: %s is refused', (_name, headers) => {
  expect(judge('https://gatehouse.example.org', headers)).toBe('cross_origin')
})

test.each([
  'http://localhost:3001',
  'https://localhost:3000',
  'http://127.0.0.2:3000',
  'http://localhost.evil.example:3000',
  'http://127.0.0.1:3000/x',
])('security 22: %s is not http://localhost:3000', (origin) => {
  expect(judge('http://localhost:3000', { origin })).toBe('cross_origin')
})
