import { expect, test } from 'vitest'
import { applyMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const day = 86_400_000

test('security 16: when a membership has ended its connections are frozen and its sessions ended, once', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream, { ownerId: operator.user.id, label: 'Own' })
  await team.connect(upstream, { ownerId: owner.user.id, label: 'The owner’s' })
  const endsAt = new Date(Date.now() + day)
  await portal.db.membership.updateMany({ where: { userId: operator.user.id }, data: { endsAt } })
  await applyMembershipEnds(new Date(endsAt.getTime() - 1))
  expect(await portal.db.connection.count({ where: { frozenAt: { not: null } } })).toBe(0)
  for (let n = 0; n < 2; n += 1) await applyMembershipEnds(endsAt)
  expect(await portal.db.connection.findMany({ where: { frozenAt: { not: null } } })).toMatchObject([{ label: 'Own', frozenById: null }])
  expect(await portal.db.session.count({ where: { revokedAt: { not: null } } })).toBe(1)
  const row = { actorKind: 'gatehouse', action: 'member.end', objectId: operator.user.id }
  expect(await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })).toMatchObject([
    { ...row, stage: 'intent', outcome: 'asked' },
    { ...row, stage: 'outcome', outcome: 'done' },
  ])
})
