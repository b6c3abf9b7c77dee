/** Session cookies that were never issued, or were revoked. */

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { callAction, encodeBareForm, Form, readAnswer } from './action-call'
import { cookieOf, type Estate, person } from './estate'
import { expectNoEffect } from './traces'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function forge(secret: string, sid: unknown): Record<string, Promise<string> | string> {
  const claims = { sid, sub: 'owner', exp: 4_000_000_000 }
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return {
    'alg none': `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`,
    'signed, not encrypted': `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
    'encrypted with alg none': `${base64url({ alg: 'none', enc: 'A256GCM' })}..${base64url({})}.${base64url(claims)}.`,
    'a foreign secret': encode({ token: { sid }, secret: 'another secret', maxAge: 3600 }),
    'an empty secret': encode({ token: { sid }, secret: ' ', maxAge: 3600 }),
    expired: encode({ token: { sid }, secret, maxAge: -60 }),
    'a sid that was never given': encode({ token: { sid: 'A'.repeat(43) }, secret }),
    'a sid that is an object': encode({ token: { sid: { not: null } }, secret }),
    'an error in place of a session': encode({ token: { error: 'RefreshFailed', user: { role: 'owner' } }, secret }),
    'nobody, but a sub and a role': encode({ token: { sub: 'owner', role: 'owner' }, secret }),
  }
}

/** One character in each part of the token replaced, the token truncated, repeated, in other case. */
function damage(value: string): string[] {
  const spots = [0, 10, Math.floor(value.length / 2), value.length - 30, value.length - 2]
  const changed = spots.map((at) => `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`)
  return [...changed, value.slice(0, -1), `${value}${value}`, value.toUpperCase(), `"${value}"x`, `${value}.`]
}

/** A request whose Cookie header is exactly these bytes. */
function sendRaw(port: number, cookie: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /api/servers HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`, 'latin1')
    })
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.once('close', () => resolve(text))
    socket.once('error', reject)
  })
}

export function cookies(estate: Estate): void {
  const { caller, place } = estate
  const statusWith = async (cookie: string) => (await caller.call('/api/servers', { cookie })).status

  test('security 17: a cookie is invalid after signing out', async () => {
    const { cookie } = await estate.join('ours', 'operator')
    expect(await statusWith(cookie)).toBe(200)
    // As a browser without scripts sends it.
    const { id, page } = estate.action('signOut')
    const { body, contentType } = await encodeBareForm(id, new Form({}))
    const headers = { origin: caller.origin, 'content-type': contentType }
    const answer = readAnswer(await caller.call(page, { method: 'POST', cookie, body, headers }))
    expect(answer.leadsTo).toMatch(/^\/sign-in/)
    expect(answer.headers['set-cookie']?.join()).toMatch(/gatehouse-session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
    expect(await statusWith(cookie)).toBe(401)
    expect((await caller.call('/servers', { cookie })).headers.location).toMatch(/^\/sign-in(\?back=|$)/)
  })

  test('security 17: signing in creates a new session that scripts cannot read, and ends the previous one', async () => {
    const before = await estate.join('ours', 'operator')
    const form = new Form({ email: person.email, password: person.password })
    const answer = await callAction(caller, estate.action('signIn'), [null, form], { cookie: before.cookie })
    const given = answer.headers['set-cookie'] ?? []
    expect(given.map((line) => line.split('=')[0]).sort()).toEqual(['gatehouse-device', 'gatehouse-session'])
    for (const line of given) expect(line).toMatch(/^gatehouse-\w+=[^;]+; Path=\/; .*HttpOnly; SameSite=lax$/i)
    expect(cookieOf(answer)).not.toBe(before.cookie)
    expect(await statusWith(cookieOf(answer))).toBe(200)
    expect(await statusWith(before.cookie)).toBe(401)
  })

  test('security 17: forged, foreign, expired and damaged cookies give no access', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const [name = '', value = ''] = cookie.split(/=(.*)/)
    const secret = readFileSync(join(place.dir, 'keys/portal/session.key'), 'utf8').trim()
    const forged = await Promise.all(Object.entries(forge(secret, 'B'.repeat(43))).map(async ([how, made]) => [how, await made] as const))
    await expectNoEffect(estate, async () => {
      for (const [how, text] of [...forged, ...damage(value).map((text, index) => [`damage ${index}`, text] as const)]) {
        expect([how, await statusWith(`${name}=${text}`)]).toEqual([how, 401])
        const page = await caller.call('/servers', { cookie: `${name}=${text}` })
        expect([how, page.status, page.headers.location]).toEqual([how, 307, expect.stringMatching(/^\/sign-in(\?back=[\w%.~-]+)?$/)])
      }
    })
    expect(await statusWith(cookie)).toBe(200)
  })

  test('security 17: CR, LF and NUL in a cookie give no access and split no header', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const half = cookie.length - 20
    for (const sign of ['\r', '\n', '\0', '\r\n ', '%0d%0a', '%00', '\u0001', 'é']) {
      const answer = await sendRaw(place.port, `${cookie.slice(0, half)}${sign}${cookie.slice(half)}`)
      expect([sign, answer.split(' ')[1]]).toEqual([sign, expect.stringMatching(/^40[01]$/)])
      expect(answer).not.toContain(estate.serverName)
    }
    const planted = await sendRaw(place.port, `gatehouse-session=x\r\nX-Planted: 1\r\n${cookie.replace('=', ': ')}`)
    expect(planted).not.toContain(estate.serverName)
    expect(await statusWith(cookie)).toBe(200)
  })
}
