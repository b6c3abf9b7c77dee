import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { proxy } from '@/proxy'

test('each answer has its own nonce, and a client’s value is replaced', () => {
  const request = new NextRequest('http://localhost:3000/servers', { headers: { 'content-security-policy': "script-src 'nonce-mine'" } })
  const policies = [proxy(request), proxy(request)].map((answer) => answer.headers.get('content-security-policy') ?? '')
  expect(policies[0]).not.toBe(policies[1])
  for (const policy of policies) expect(policy).not.toContain('mine')
})

test('a page knows its own address, and no client can set it', () => {
  const request = new NextRequest('http://localhost:3000/servers?q=a+b&_rsc=1x', { headers: { 'gatehouse-asked-page': '/elsewhere' } })
  expect(proxy(request).headers.get('x-middleware-request-gatehouse-asked-page')).toMatch(/^\/servers\?q=a\+b/)
})
