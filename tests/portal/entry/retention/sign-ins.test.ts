import { expect, test } from 'vitest'
import { pruneSignIns } from '@/lib/portal/entry/retention/sign-ins'
import { recheckActor } from '@/lib/portal/identity/actor'
import { createLink } from '@/lib/portal/identity/one-time-link'
import { countTry } from '@/lib/portal/identity/throttle'
import { listMembers } from '@/lib/portal/subjects/team/members'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('old sessions, expired links and counters that no longer count are deleted; when a member was last seen stays known', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, away] = [await team.join('owner'), await team.join('viewer')]
  const { sidHash: _, id: __, ...session } = await portal.db.session.findUniqueOrThrow({ where: { id: owner.sessionId } })
  for (const days of [89, 91, 200]) {
    const times = { seenAt: daysAgo(days), expiresAt: daysAgo(days), revokedAt: daysAgo(days) }
    await portal.db.session.create({ data: { ...session, id: `${days}`, sidHash: `${days}`, ...times } })
  }
  await portal.db.session.update({ where: { id: away.sessionId }, data: { seenAt: daysAgo(300), expiresAt: daysAgo(300) } })
  await createLink('reset', owner.user.id)
  await portal.db.oneTimeLink.updateMany({ data: { expiresAt: daysAgo(1) } })
  await createLink('recover', owner.user.id)
  await countTry('eve@example.org', { peer: '192.0.2.1', knownToken: null })
  await portal.db.signInThrottle.updateMany({ data: { blockedUntil: daysAgo(2) } })
  await countTry('ada@example.org', { peer: '192.0.2.2', knownToken: null })
  expect(await pruneSignIns()).toBe(2 + 1 + 2)
  expect((await portal.db.session.findMany()).map(({ id }) => id).sort()).toEqual(['89', owner.sessionId, away.sessionId].sort())
  expect(await portal.db.oneTimeLink.findMany()).toMatchObject([{ purpose: 'recover' }])
  expect(await portal.db.signInThrottle.count()).toBe(2)
  expect(await recheckActor(owner.sessionId)).not.toBeNull()
  expect((await listMembers(owner)).map(({ lastSeenAt }) => lastSeenAt !== null)).toEqual([true, true])
})
