import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { GET, POST } from '@/app/api/auth/[...nextauth]/route'
import { type AuthDoor, isOpenDoor } from '@/lib/portal/identity/auth-doors'
import { getSettings } from '@/lib/settings/settings'

/** All that next-auth 4 answers, and what only looks like it. */
const ofNextAuth = [
  'signin',
  'signin/password',
  'signin/credentials',
  'signout',
  'callback',
  'callback/credentials',
  'csrf',
  'session',
  'providers',
  'error',
  'verify-request',
  '_log',
  '__proto__',
  'constructor',
]

test.each(ofNextAuth)('security 23: /api/auth/%s is 404 for every method, and its body is not read', async (path) => {
  const context = { params: Promise.resolve({ nextauth: path.split('/') }) }
  const address = `http://localhost:3000/api/auth/${path}`
  for (const method of ['GET', 'HEAD']) {
    const answer = await GET(new NextRequest(address, { method }), context)
    expect([method, answer.status, answer.headers.getSetCookie()]).toEqual([method, 404, []])
  }
  const posted = new NextRequest(address, {
    method: 'POST',
    body: 'csrfToken=x&email=a&password=b',
    headers: { origin: 'http://localhost:3000' },
  })
  const answer = await POST(posted, context)
  expect([answer.status, answer.headers.getSetCookie(), posted.bodyUsed]).toEqual([404, [], false])
})

test('security 23: single sign-on opens GET callback/oidc and nothing else', () => {
  const settings = getSettings()
  Object.assign(settings, { singleSignOn: { issuer: 'https://id.example.org' } })
  try {
    const paths = [...ofNextAuth, 'callback/oidc', 'signin/oidc', 'callback/oidc/more']
    const open = ['GET', 'HEAD', 'POST'].flatMap((method) => paths.filter((path) => isOpenDoor(method, path)).map((path) => [method, path]))
    expect(open).toEqual([['GET', 'callback/oidc']])
  } finally {
    Object.assign(settings, { singleSignOn: null })
  }
})

test('a listed address is open for its own method and path only', () => {
  const doors: AuthDoor[] = [{ method: 'GET', path: 'callback/example', why: 'The identity provider sends people back here.' }]
  expect(isOpenDoor('GET', 'callback/example', doors)).toBe(true)
  for (const [method, path] of [
    ['POST', 'callback/example'],
    ['HEAD', 'callback/example'],
    ['GET', 'callback'],
    ['GET', 'callback/example/more'],
    ['GET', 'callback/other'],
  ] as const)
    expect([method, path, isOpenDoor(method, path, doors)]).toEqual([method, path, false])
})
