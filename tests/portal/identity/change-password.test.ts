import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { type Person as Actor, findActorBySid, recheckActor } from '@/lib/portal/identity/actor'
import { changePassword } from '@/lib/portal/identity/change-password'
import { createLink, findLink } from '@/lib/portal/identity/one-time-link'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, device, openFor, type Person, password } from './people'

const next = 'Fünf Kraniche ziehen nach Norden'

async function signedIn(person: Person): Promise<{ actor: Actor; sid: string }> {
  const { sid, sessionId } = await openFor(person)
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The new session does not stand.')
  return { actor, sid }
}

test('security 16: changing the password ends every other session and unused recovery links; this session gets a new id', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const [other, { actor, sid }] = [await openFor(person), await signedIn(person)]
  const link = await createLink('recover', person.userId)
  const changed = await changePassword(actor, { current: password, next }, device, 'request-1')
  expect(changed).toMatchObject({ ok: true, data: { ended: 1 } })
  expect([await findActorBySid(sid), await findActorBySid(other.sid), await recheckActor(other.sessionId)]).toEqual([null, null, null])
  expect(await findActorBySid(changed.ok ? changed.data.sid : '')).toMatchObject({ sessionId: actor.sessionId })
  expect(await findLink('recover', new URL(link).searchParams.get('token'))).toBeNull()
  expect(await signInWithPassword({ email: person.email, password }, device)).toMatchObject({ ok: false })
  expect(await signInWithPassword({ email: person.email, password: next }, device)).toMatchObject({ ok: true })
})

test('the rules of set-up apply, the old password is required, and nothing changes while a check fails', async () => {
  await using _ = await openPortalDatabase()
  const { actor, sid } = await signedIn(await addPerson())
  const refused = async (current: string, given: string) => {
    const answer = await changePassword(actor, { current, next: given }, device, 'request-1')
    return answer.ok ? null : Object.keys(answer.problem.fields ?? {})
  }
  expect(await refused(password, 'short')).toEqual(['password'])
  expect(await refused(password, 'ada ada ada ada')).toEqual(['password'])
  expect(await refused(password, password)).toEqual(['password'])
  expect(await refused('not the password', next)).toEqual(['current'])
  expect(await findActorBySid(sid)).not.toBeNull()
})

test('security 12: guessing the old password counts as sign-in attempts, and is logged', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const { actor } = await signedIn(person)
  for (let n = 0; n < 5; n += 1) await changePassword(actor, { current: `guess ${n}`, next }, device, `request-${n}`)
  expect(await changePassword(actor, { current: password, next }, device, 'request-6')).toMatchObject({ problem: { code: 'too_many' } })
  expect(await signInWithPassword({ email: person.email, password }, device)).toMatchObject({ problem: { code: 'too_many' } })
  const rows = await db().auditRow.findMany({ where: { action: 'person.changePassword' } })
  expect(rows.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(Array(5).fill('event failed'))
  expect(JSON.stringify(rows)).not.toContain('guess')
})

test('of two simultaneous changes one is made, and the other is refused with the reason', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const [first, second] = [await signedIn(person), await signedIn(person)]
  const answers = await Promise.all(
    [first, second].map(({ actor }, n) => changePassword(actor, { current: password, next: `${next} ${n}` }, device, `request-${n}`)),
  )
  expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
  expect(await db().session.count({ where: { revokedAt: null } })).toBe(1)
})

test('a change is logged as intent and outcome, without a password', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await signedIn(await addPerson())
  await changePassword(actor, { current: password, next }, device, 'request-1')
  const rows = await db().auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, stage, outcome }) => [action, stage, outcome])).toEqual([
    ['person.changePassword', 'intent', 'asked'],
    ['person.changePassword', 'outcome', 'done'],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/Reiher stehen|Kraniche/)
})
