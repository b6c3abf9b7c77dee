/** A connection that its owner froze: whoever governs it, or the end of the membership, freezes it again, and the owner cannot thaw it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { encodeRequest } from '@/lib/contract/request'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { watchWay } from '@/lib/portal/jobs/relay/way'
import { freezeConnection, thawConnection } from '@/lib/portal/subjects/connections/freeze'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { disableMember, enableMember } from '@/lib/portal/subjects/team/change-member'
import { applyMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { callConnection, openStream } from '@/lib/portal/upstream/unattended'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const freeze = (actor: Actor, connectionId: string) => freezeConnection(inputOf(actor, { connectionId }))
const thaw = (actor: Actor, connectionId: string) => thawConnection(inputOf(actor, { connectionId }))
const frozenBy = async () => (await db().connection.findFirstOrThrow()).frozenById

async function prepare() {
  const upstream = await startUpstream({ extensions: true })
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  const id = await team.connect(upstream, { label: 'Own', ownerId: operator.user.id })
  return { upstream, team, owner, operator, id, [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() }
}

test('security 16: freezing one’s own connection first does not keep an admin from freezing it for good', async () => {
  await using _ = await openPortalDatabase()
  await using prepared = await prepare()
  const { team, owner, operator, id } = prepared
  expect(await freeze(operator, id)).toMatchObject({ ok: true })
  expect(await freeze(operator, id)).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
  expect(await freeze(owner, id)).toMatchObject({ ok: true })
  expect(await frozenBy()).toBe(owner.user.id)
  expect(await freeze(await team.join('admin'), id)).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
  expect(await thaw(operator, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await thaw(owner, id)).toMatchObject({ ok: true })
})

test('security 16: disabled and enabled again, a member cannot thaw what they had frozen themselves', async () => {
  await using _ = await openPortalDatabase()
  await using prepared = await prepare()
  const { owner, operator, id } = prepared
  await freeze(operator, id)
  const input = inputOf(owner, { memberId: operator.user.id })
  expect(await disableMember(input)).toMatchObject({ ok: true, data: { frozen: 1 } })
  expect(await enableMember(input)).toMatchObject({ ok: true })
  await db().session.updateMany({ data: { revokedAt: null } })
  expect(await frozenBy()).toBeNull()
  expect(await thaw(operator, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
})

test('security 16: when the membership ends, the member cannot thaw what they had frozen themselves', async () => {
  await using portal = await openPortalDatabase()
  await using prepared = await prepare()
  const { operator, id } = prepared
  await freeze(operator, id)
  await portal.db.session.updateMany({ where: { userId: operator.user.id }, data: { revokedAt: new Date() } })
  await portal.db.membership.updateMany({ where: { userId: operator.user.id }, data: { endsAt: new Date(Date.now() - 1000) } })
  expect(await frozenBy()).toBe(operator.user.id)
  for (let n = 0; n < 2; n += 1) await applyMembershipEnds()
  expect(await frozenBy()).toBeNull()
  expect(await portal.db.auditRow.count({ where: { action: 'member.end', stage: 'outcome' } })).toBe(1)
  await portal.db.membership.updateMany({ data: { endsAt: null } })
  await portal.db.session.updateMany({ data: { revokedAt: null } })
  expect(await thaw(operator, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
})

test('security 16: a thaw is refused if the owner’s membership ends after permissions were checked', async () => {
  await using portal = await openPortalDatabase()
  await using prepared = await prepare()
  const { owner, operator, id } = prepared
  await freeze(owner, id)
  await portal.db.$executeRawUnsafe(
    `CREATE TRIGGER leaves AFTER INSERT ON AuditRow WHEN new.action = 'connection.thaw'
     BEGIN DELETE FROM Membership WHERE userId = '${operator.user.id}'; END`,
  )
  expect(await thaw(owner, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await frozenBy()).toBe(owner.user.id)
})

test('security 16: a connection removed after permissions were checked is noticed just before the call, and by a stream through it', async () => {
  await using _ = await openPortalDatabase()
  await using prepared = await prepare()
  const { upstream, operator, id } = prepared
  const checked = await db().connection.findUniqueOrThrow({ where: { id } })
  const watch = watchWay('no job', id)
  expect(await removeConnection(inputOf(operator, { connectionId: id, confirmName: 'Own' }))).toMatchObject({ ok: true })
  const request = encodeRequest(contract.servers.list, {}, { extensions: false })
  const removed = { problem: { code: 'no_connection', sentence: 'This connection was removed.' } }
  expect(await callConnection(checked, contract.servers.list, request)).toMatchObject({ ok: false, ...removed })
  const stream = await openStream(checked, contract.servers.list, request, { pace: 'stream' })
  expect(stream).toMatchObject({ kind: 'outcome', outcome: { ok: false, ...removed } })
  await expect.poll(() => watch.signal.aborted, { timeout: 5_000 }).toBe(true)
  watch.stop()
  expect(upstream.calls).toHaveLength(0)
})
