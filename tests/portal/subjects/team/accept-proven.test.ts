/** Accepting an invitation with an account that exists: by its session, by its password, or not at all. */
import { expect, test } from 'vitest'
import { findActorBySid, recheckActor } from '@/lib/portal/identity/actor'
import { findInvitation, joinSignedIn } from '@/lib/portal/subjects/team/accept'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { addPerson, device, openFor } from '../../identity/people'
import { accept, codeOf, invite } from './inviting'

/** Ada, signed in to a team of her own, and an invitation to another one. */
async function inviteAda() {
  const team = await createTeam()
  const token = await invite(await team.join('owner'), { role: 'viewer' })
  const ada = await addPerson()
  const { sid, sessionId } = await openFor(ada)
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The session does not stand.')
  return { team, token, ada, actor, sid }
}

test('security 17: whoever is signed in with the address joins without a password; the session has a new id', async () => {
  await using portal = await openPortalDatabase()
  const { team, token, actor, sid } = await inviteAda()
  const joined = await Promise.all(Array.from({ length: 5 }, () => joinSignedIn(token, actor, device)))
  const done = joined.flatMap((outcome) => (outcome.ok ? [outcome.data.sid] : []))
  expect([done.length, await findActorBySid(sid)]).toEqual([1, null])
  expect(await findActorBySid(done[0] ?? '')).toMatchObject({ user: { email: 'ada@example.org' }, team: { id: team.id }, role: 'viewer' })
  const rows = await portal.db.auditRow.findMany({ where: { action: 'invitation.accept', outcome: 'done' } })
  expect(rows).toMatchObject([{ actorId: actor.user.id, teamId: team.id }])
})

test('security 19: a session of another address cannot use the link, and a used one opens nothing', async () => {
  await using portal = await openPortalDatabase()
  const { token, actor, team } = await inviteAda()
  const eve = await (await createTeam()).join('owner')
  expect(codeOf(await joinSignedIn(token, eve, device))).toBe('forbidden')
  await portal.db.invitation.updateMany({ data: { revokedAt: new Date() } })
  expect(codeOf(await joinSignedIn(token, actor, device))).toBe('not_found')
  expect(await portal.db.membership.count({ where: { teamId: team.id } })).toBe(1)
})

test('where the new team requires a second factor, the session awaits its set-up', async () => {
  await using portal = await openPortalDatabase()
  const { token, actor, team } = await inviteAda()
  await portal.db.team.update({ where: { id: team.id }, data: { requiresSecondFactor: true } })
  const joined = await joinSignedIn(token, actor, device)
  expect(await findActorBySid(joined.ok ? joined.data.sid : '')).toBeNull()
  expect(await portal.db.session.findFirst({ where: { userId: actor.user.id } })).toMatchObject({ awaits: 'secondFactorSetup' })
})

const failedSignIns = ({ db }: PortalDatabase) => db.auditRow.findMany({ where: { action: 'session.signIn', outcome: 'failed' } })

test('security 12: a wrong password on the page is a failed sign-in in the audit log', async () => {
  await using portal = await openPortalDatabase()
  const { token, ada, team } = await inviteAda()
  expect(await accept(token, { password: 'a guess' })).toMatchObject({ problem: { fields: { password: 'Wrong password.' } } })
  expect(await failedSignIns(portal)).toMatchObject([{ actorKind: 'nobody', objectId: ada.userId, teamId: team.id }])
  expect(await portal.db.signInThrottle.count()).toBeGreaterThan(0)
})

test('an account without a password is named as such, and no password opens it', async () => {
  await using portal = await openPortalDatabase()
  const { token, ada } = await inviteAda()
  await portal.db.user.update({ where: { id: ada.userId }, data: { passwordHash: null } })
  expect(await findInvitation(token)).toMatchObject({ account: 'passwordless' })
  for (const password of ['', 'a password long enough']) expect(codeOf(await accept(token, { password }))).toBe('invalid')
  expect(await portal.db.invitation.count({ where: { acceptedAt: null } })).toBe(1)
})
