/** The rule of a team: what needs a second person. */
import { expect, test, vi } from 'vitest'
import { contract, operations } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { readSecondPersonRule, setSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { findHeldView, listHeld } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { findRecovering } from '@/lib/portal/identity/recovery'
import { readRule, ruleNames, ruleOf } from '@/lib/portal/spine/held/rule'
import { findInvitation } from '@/lib/portal/subjects/team/accept'
import { resendInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase, sqliteOfPortal } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { approve, heldIdOf, openScene } from './scene'

const set = (actor: Person, names: string) => setSecondPersonRule(inputOf(actor, { names }))

test('whatever deletes something for good can be chosen', () => {
  const chosen = ruleNames.flatMap((name) => ruleOf(name).operations)
  expect(operations.filter(({ effect }) => effect === 'destroy').filter((operation) => !chosen.includes(operation))).toEqual([])
  // Nobody is asked at night: where the rule lists deleting, a schedule that deletes more copies than before is refused.
  const atNight = [contract.copies.prune]
  expect(chosen.filter(({ path }) => !path.includes('{server_id}') && !path.includes('{site_id}'))).toEqual(atNight)
})

test('security 63: the rule is turned on only while two members could approve, and says so when that is no longer true', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('viewer')]
  expect(await set(owner, 'deleteSites')).toMatchObject({ problem: { code: 'forbidden', sentence: expect.stringContaining('one is now') } })
  const role = (given: 'admin' | 'viewer') => db().membership.updateMany({ where: { userId: admin.user.id }, data: { role: given } })
  await role('admin')
  expect(await set(owner, 'deleteSites,push')).toEqual({ ok: true, data: null })
  expect(await readRule(team.id)).toEqual(['deleteSites', 'push'])
  const refusals = async () => (await readSecondPersonRule(owner)).filter(({ on }) => on).map(({ refusal }) => refusal)
  expect(await refusals()).toEqual([null, null])
  await role('viewer')
  expect(await refusals()).toEqual([expect.stringContaining('one is now'), expect.stringContaining('one is now')])
  // What is on can still be turned off.
  expect(await set(owner, 'push')).toEqual({ ok: true, data: null })
  expect(await set(owner, 'push,restore')).toMatchObject({ ok: false })
})

test('the members are read once for all lines of the rule, not once for each operation that it lists', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const owner = await team.join('owner')
  const reading = vi.spyOn(sqliteOfPortal(), 'read')
  const lines = await readSecondPersonRule(owner)
  expect(lines.length).toBe(ruleNames.length)
  const statements = reading.mock.calls.map(([sql]) => sql)
  expect(statements.filter((sql) => /^SELECT [^(]+ FROM `main`.`Membership`/.test(sql)).length).toBe(1)
  expect(statements.length).toBeLessThan(12)
})

test('security 63: links that were made before they needed a second person end when that is turned on, and the page says how many', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin, viewer] = [await team.join('owner'), await team.join('admin'), await team.join('viewer')]
  const invited = await inviteMember(inputOf(owner, { email: 'new@example.org', role: 'admin', endsOn: '', access: '' }))
  const reset = await createResetLink(inputOf(admin, { memberId: viewer.user.id }))
  const tokenOf = (made: typeof invited | typeof reset) => new URL(made.ok ? made.data.link : 'missing:').searchParams.get('token')
  const linesOf = async (name: string) => (await readSecondPersonRule(owner)).find((line) => line.name === name)?.endsLinks
  expect([await linesOf('access'), await linesOf('recoveryLinks'), await linesOf('push')]).toEqual([2, 2, 0])
  expect(await set(owner, 'push')).toEqual({ ok: true, data: null })
  expect(await findInvitation(tokenOf(invited))).not.toBeNull()
  expect(await set(owner, 'push,recoveryLinks')).toEqual({ ok: true, data: null })
  expect([await findInvitation(tokenOf(invited)), await findRecovering(tokenOf(reset))]).toEqual([null, null])
  expect([await linesOf('access'), await linesOf('recoveryLinks')]).toEqual([0, 0])
  // It stays in the list, to be sent again by two.
  const { id } = await db().invitation.findFirstOrThrow({ where: { revokedAt: null, acceptedAt: null } })
  heldIdOf(await resendInvitation(inputOf(admin, { invitationId: id })))
})

test('security 23: only an owner changes it, with a fresh sign-in, to names that exist', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  for (const other of [admin, await team.join('operator'), await team.join('viewer'), await team.join('guest')]) {
    expect(await set(other, 'push')).toMatchObject({ problem: { code: 'forbidden' } })
  }
  const stale = { stepUp: async () => problem('invalid', { fields: { password: 'Confirm your password to continue.' } }) }
  expect(await setSecondPersonRule(inputOf(owner, { names: 'push' }, stale))).toMatchObject({ problem: { code: 'invalid' } })
  for (const names of ['everything', 'push,push', 'push;restore'])
    expect(await set(owner, names)).toMatchObject({ problem: { code: 'invalid' } })
  expect(await readRule(team.id)).toEqual([])
})

test('security 1: a request is shown in words, with what is there now, and its password to nobody', async () => {
  await using scene = await openScene()
  const { asker, approver, team } = scene
  const [password, restore] = [heldIdOf(await scene.ask.setPassword(asker, 'held-password-7')), heldIdOf(await scene.ask.restore())]
  const view = await findHeldView(approver, password)
  expect(view).toMatchObject({
    what: 'Create a system user or set its password: alpha',
    state: 'waiting',
    mayDecide: true,
    own: false,
    approvers: 2,
  })
  expect(view?.sends).toEqual([
    { label: 'User', value: 'deploy' },
    { label: 'Password', value: 'a new password' },
  ])
  expect(view?.now).toEqual(
    expect.arrayContaining([
      { label: 'Server', value: 'alpha' },
      { label: 'Sites', value: 'shop.example' },
    ]),
  )
  expect((await findHeldView(approver, restore))?.sends).toEqual([
    { label: 'Backup', value: 'shop.example-1.tar.zst' },
    { label: 'Back up first', value: 'yes' },
  ])
  // The interface has the opposite: without_backup.
  const deletion = heldIdOf(await scene.ask.deleteSite())
  expect((await findHeldView(approver, deletion))?.sends).toEqual([{ label: 'Back up first', value: 'yes' }])
  expect(JSON.stringify([view, await findHeldView(asker, password), await listHeld(approver)])).not.toContain('held-password-7')
  expect(await findHeldView(asker, password)).toMatchObject({ own: true, mayDecide: false })
  for (const other of [await team.join('viewer'), await team.join('guest'), await (await createTeam('Another')).join('owner')]) {
    expect([await findHeldView(other, password), await listHeld(other)]).toEqual([null, []])
  }
  await approve(approver, password)
  expect(await findHeldView(approver, password)).toMatchObject({ state: 'sent', sends: [], decidedBy: 'The admin', mayDecide: false })
})
