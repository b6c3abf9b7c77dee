import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { describeCookie, openSid, sealSid } from '@/lib/portal/identity/cookie'
import { getSessionSecret } from '@/lib/portal/identity/session-secret'
import { createToken } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '../../support/portal-database'

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('an encrypted session id can be decrypted, and the cookie does not reveal it', async () => {
  await using _portal = await openPortalDatabase()
  const sid = createToken()
  const cookie = await sealSid(sid)
  expect(await openSid(cookie)).toBe(sid)
  expect(Buffer.from(cookie.split('.').join(''), 'base64url').toString('latin1')).not.toContain(sid)
})

test('security 17: alg none, a signed instead of an encrypted token, foreign secrets and expired tokens are refused', async () => {
  await using _portal = await openPortalDatabase()
  const sid = createToken()
  const secret = getSessionSecret()
  const forged = {
    'alg none': `${base64url({ alg: 'none' })}.${base64url({ sid })}.`,
    'alg none, five parts': `${base64url({ alg: 'none', enc: 'A256GCM' })}....`,
    signed: `${base64url({ alg: 'HS256' })}.${base64url({ sid })}.${base64url('signature')}`,
    'foreign secret': await encode({ token: { sid }, secret: 'another secret' }),
    'foreign salt': await encode({ token: { sid }, secret, salt: 'salt' }),
    expired: await encode({ token: { sid }, secret, maxAge: -60 }),
  }
  for (const [name, cookie] of Object.entries(forged)) expect(await openSid(cookie), name).toBeNull()
})

test('security 17: a cookie with any byte changed, with CR, LF or NUL, cut or doubled is refused', async () => {
  await using _portal = await openPortalDatabase()
  const cookie = await sealSid(createToken())
  const changed = Array.from({ length: cookie.length }, (_, at) => {
    // The last sign of a part also carries bits that decoding drops: changing those is no change.
    const other = cookie[at] === 'A' ? 'Z' : 'A'
    return cookie[at] === '.' ? cookie : `${cookie.slice(0, at)}${other}${cookie.slice(at + 1)}`
  }).filter((text) => text !== cookie)
  for (const text of changed) expect(await openSid(text)).toBeNull()
  for (const sign of ['\r\n', '\n', '\0', ' ', '; ', '\u2028']) expect(await openSid(`${cookie}${sign}x`)).toBeNull()
  for (const text of ['', '....', cookie.slice(0, -4), cookie + cookie, '{}', '[object Error]']) expect(await openSid(text)).toBeNull()
})

test('security 17: a token of ours that contains anything but a session id is not a session', async () => {
  await using _portal = await openPortalDatabase()
  const secret = getSessionSecret()
  const contents = [
    {},
    { sub: 'user' },
    { sid: 1 },
    { sid: null },
    { sid: ['a'.repeat(43)] },
    { sid: { not: null } },
    { sid: 'a'.repeat(42) },
    { sid: `${'a'.repeat(43)}\n` },
  ]
  for (const token of contents) expect(await openSid(await encode({ token, secret }))).toBeNull()
})

test('security 17: an added sub next to the session id changes nothing', async () => {
  await using _portal = await openPortalDatabase()
  const sid = createToken()
  expect(await openSid(await encode({ token: { sid, sub: 'somebody else' }, secret: getSessionSecret() }))).toBe(sid)
})

test('security 17: the cookie is HttpOnly and Lax, and over https Secure and tied to this host', async () => {
  {
    await using _portal = await openPortalDatabase({ environment: { PUBLIC_URL: 'https://gatehouse.example.org' } })
    expect(describeCookie('session')).toEqual({
      name: '__Host-gatehouse-session',
      options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
    })
  }
  await using _portal = await openPortalDatabase()
  expect(describeCookie('session')).toEqual({
    name: 'gatehouse-session',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: false },
  })
})
