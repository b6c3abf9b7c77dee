import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { guardedGet } from '@/lib/portal/entry/handler'
import { sealSid } from '@/lib/portal/identity/cookie'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, openFor } from '../identity/people'

const route = guardedGet(async (actor, _request, params) => Response.json({ ok: true, data: { name: actor.user.name, ...params } }))
const context = { params: Promise.resolve({ jobId: 'j1', rest: ['a', 'b'] }) }
const ask = (init: RequestInit = {}) => route(new Request('http://localhost:3000/api/jobs/j1', init), context)
const cookieOf = async (sid: string) => ({ cookie: `other=1; gatehouse-session=${await sealSid(sid)}` })

test('security 18: a read is answered to signed-in users, is never cached, and does not extend the session', async () => {
  await using portal = await openPortalDatabase()
  const { sid, sessionId } = await openFor(await addPerson())
  const seenAt = new Date(Date.now() - 10 * 60_000)
  await portal.db.session.update({ where: { id: sessionId }, data: { seenAt } })
  const response = await ask({ headers: await cookieOf(sid) })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ ok: true, data: { name: 'Ada', jobId: 'j1' } })
  expect((await portal.db.session.findUnique({ where: { id: sessionId } }))?.seenAt).toEqual(seenAt)
})

test('without a session a read is 401 and reveals nothing', async () => {
  await using _portal = await openPortalDatabase()
  const response = await ask()
  expect(response.status).toBe(401)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ ok: false, problem: { code: 'signed_out', sentence: 'Sign in again to continue.' } })
})

test.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])('security 24: %s is 405', async (method) => {
  await using _portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  expect((await ask({ method, headers: await cookieOf(sid) })).status).toBe(405)
})

test('of two session cookies the later one counts, as for pages', async () => {
  await using _portal = await openPortalDatabase()
  const [ada, bea] = [await openFor(await addPerson()), await openFor(await addPerson({ email: 'bea@example.org' }))]
  await db().user.update({ where: { email: 'bea@example.org' }, data: { name: 'Bea' } })
  const both = `${(await cookieOf(ada.sid)).cookie}; gatehouse-session=${await sealSid(bea.sid)}`
  expect(await (await ask({ headers: { cookie: both } })).json()).toMatchObject({ data: { name: 'Bea' } })
})

test('a read started by another site is refused', async () => {
  await using _portal = await openPortalDatabase()
  expect((await ask({ headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
})

test('a handler that throws answers 500 with a plain sentence, without the thrown error', async () => {
  await using _portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  const failing = guardedGet(async () => Promise.reject(new Error('canary')))
  const response = await failing(new Request('http://localhost:3000/api/jobs', { headers: await cookieOf(sid) }), context)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('canary')
})

test('a route without a placeholder, which Next calls without params, is answered too', async () => {
  await using _portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  const request = new Request('http://localhost:3000/api/jobs', { headers: await cookieOf(sid) })
  const response = await route(request, { params: Promise.resolve(undefined) })
  expect(await response.json()).toEqual({ ok: true, data: { name: 'Ada' } })
})
