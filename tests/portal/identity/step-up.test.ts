import { expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { findSession } from '@/lib/portal/identity/session'
import { stepUp as prove } from '@/lib/portal/identity/step-up'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, openFor, password } from './people'

const written = vi.hoisted((): { sids: string[] } => ({ sids: [] }))

vi.mock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => ({ get: () => undefined }) }))
vi.mock('@/lib/portal/identity/cookie', async (original) => ({
  ...(await original<object>()),
  writeSid: async (sid: string) => void written.sids.push(sid),
}))

const stepUp = (actor: Parameters<typeof prove>[0], given: string) => prove(actor, { password: given, code: '', passkey: '' })

async function signInSince(minutes: number) {
  written.sids.length = 0
  const { sid, sessionId } = await openFor(await addPerson())
  await db().session.update({ where: { id: sessionId }, data: { stepUpAt: new Date(Date.now() - minutes * 60_000) } })
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The new session does not stand.')
  return { sid, actor }
}

const rejected = { code: 'invalid', fields: { password: expect.any(String) } }

test('security 21: a sign-in of the last 5 minutes suffices, an older one does not', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await signInSince(4.9)
  expect(await stepUp(actor, '')).toBeNull()
  expect(await stepUp({ ...actor, stepUpAt: new Date(Date.now() - 301_000) }, '')).toMatchObject(rejected)
  expect(written.sids).toEqual([])
})

test('security 17: after the right password the session has a new id, and the old id is worthless', async () => {
  await using _ = await openPortalDatabase()
  const { sid, actor } = await signInSince(10)
  expect(await stepUp(actor, password)).toBeNull()
  expect(await findSession({ sid })).toBeNull()
  expect(await findSession({ sid: written.sids[0] ?? '' })).toMatchObject({ id: actor.sessionId })
  const again = await recheckActor(actor.sessionId)
  expect(again && (await stepUp(again, ''))).toBeNull()
})

test('security 12: wrong passwords are refused, logged, and counted like sign-in attempts', async () => {
  await using _ = await openPortalDatabase()
  const { sid, actor } = await signInSince(10)
  for (let attempt = 0; attempt < 5; attempt++) expect(await stepUp(actor, 'not my password')).toMatchObject(rejected)
  expect(await stepUp(actor, password)).toMatchObject({ code: 'too_many' })
  expect(await findSession({ sid })).not.toBeNull()
  expect(await db().auditRow.count({ where: { action: 'session.stepUp', outcome: 'failed' } })).toBe(5)
})

test('a session that ended meanwhile is not resumed', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await signInSince(10)
  await db().session.updateMany({ data: { revokedAt: new Date() } })
  expect(await stepUp(actor, password)).toMatchObject({ code: 'signed_out' })
  expect(written.sids).toEqual([])
})
