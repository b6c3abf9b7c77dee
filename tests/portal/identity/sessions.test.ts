import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { type Person as Actor, findActorBySid, recheckActor } from '@/lib/portal/identity/actor'
import { nameDevice } from '@/lib/portal/identity/device-name'
import { renamePerson } from '@/lib/portal/identity/rename'
import { endOwnOtherSessions, endOwnSession, listSessions } from '@/lib/portal/identity/sessions'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, openFor } from './people'

async function actorOf(sessionId: string): Promise<Actor> {
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The session does not stand.')
  return actor
}

test('security 18: only valid sessions are listed, this one first', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const [here, there, idle, over, ended] = [
    await openFor(person),
    await openFor(person),
    await openFor(person),
    await openFor(person),
    await openFor(person),
  ]
  await db().session.update({ where: { id: idle.sessionId }, data: { seenAt: new Date(Date.now() - 31 * 60_000) } })
  await db().session.update({ where: { id: over.sessionId }, data: { expiresAt: new Date() } })
  await db().session.update({ where: { id: ended.sessionId }, data: { revokedAt: new Date() } })
  await openFor(await addPerson({ email: 'bea@example.org' }))
  const listed = await listSessions(await actorOf(here.sessionId))
  expect(listed.map(({ id, here, peer }) => [id, here, peer])).toEqual([
    [here.sessionId, true, '192.0.2.7'],
    [there.sessionId, false, '192.0.2.7'],
  ])
})

test('security 16: a session ended from another one is refused at the next check; the other one stays valid', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const [here, there, third] = [await openFor(person), await openFor(person), await openFor(person)]
  const actor = await actorOf(here.sessionId)
  expect(await endOwnSession(actor, there.sessionId)).toEqual({ ok: true, data: { ended: 1 } })
  expect([await findActorBySid(there.sid), await recheckActor(there.sessionId)]).toEqual([null, null])
  expect(await endOwnOtherSessions(actor)).toEqual({ ok: true, data: { ended: 1 } })
  expect([await findActorBySid(third.sid), (await findActorBySid(here.sid))?.sessionId]).toEqual([null, here.sessionId])
  const rows = await db().auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, objectId }) => [action, objectId])).toEqual([
    ['session.end', there.sessionId],
    ['session.endOthers', person.userId],
  ])
})

test('security 3: another user’s session cannot be ended, and is answered like an unknown one', async () => {
  await using _ = await openPortalDatabase()
  const [ada, bea] = [await addPerson(), await addPerson({ email: 'bea@example.org' })]
  const [mine, theirs] = [await openFor(ada), await openFor(bea)]
  const actor = await actorOf(mine.sessionId)
  const absent = await endOwnSession(actor, 'Absent-000000000000000')
  for (const id of [theirs.sessionId, { not: null }, undefined]) expect(await endOwnSession(actor, id)).toEqual(absent)
  await endOwnOtherSessions(actor)
  expect(await findActorBySid(theirs.sid)).not.toBeNull()
})

test('a name can be changed, is logged, and is refused if empty, long or invisible', async () => {
  await using _ = await openPortalDatabase()
  const { sessionId } = await openFor(await addPerson())
  const actor = await actorOf(sessionId)
  for (const name of ['', ' ', 'x'.repeat(81), 'a\u202eb', 'a\nb']) {
    expect(await renamePerson(actor, name, 'request-1')).toMatchObject({ problem: { fields: { name: expect.any(String) } } })
  }
  expect(await renamePerson(actor, ' Ada Reiher ', 'request-1')).toEqual({ ok: true, data: { name: 'Ada Reiher' } })
  expect((await actorOf(sessionId)).user.name).toBe('Ada Reiher')
  expect(await db().auditRow.count({ where: { action: 'person.rename' } })).toBe(2)
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari on macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1', 'Chrome on iPhone'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/28 Chrome/130 Mobile Safari/537.36', 'Samsung Internet on Android'],
  ['curl/8.14.1', 'curl'],
  ['something else (Linux)', 'A browser on Linux'],
  ['', 'An unknown browser'],
])('a device is named by what its browser says: %s', (userAgent, name) => {
  expect(nameDevice(userAgent)).toBe(name)
})
