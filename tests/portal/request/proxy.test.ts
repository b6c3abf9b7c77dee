import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { getSettings } from '@/lib/settings/settings'
import { proxy } from '@/proxy'

test('over https, and only there, browsers are told to come by https alone', () => {
  const settings = getSettings()
  const request = new NextRequest('https://portal.example.test/servers')
  settings.secureCookies = true
  expect(proxy(request).headers.get('strict-transport-security')).toBe('max-age=31536000')
  settings.secureCookies = false
  expect(proxy(request).headers.has('strict-transport-security')).toBe(false)
})

test('each answer has a nonce of its own, and what a client sent in its place goes', () => {
  const request = new NextRequest('http://localhost:3000/servers', { headers: { 'content-security-policy': "script-src 'nonce-mine'" } })
  const policies = [proxy(request), proxy(request)].map((answer) => answer.headers.get('content-security-policy') ?? '')
  expect(policies[0]).not.toBe(policies[1])
  for (const policy of policies) expect(policy).not.toContain('mine')
})
