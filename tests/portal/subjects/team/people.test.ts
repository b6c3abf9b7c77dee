/** Whom the filter of Activity offers. */
import { expect, test } from 'vitest'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listPeople } from '@/lib/portal/subjects/team/people'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const act = ({ user, team, sessionId }: Person) =>
  recordAudit({
    teamId: team.id,
    actor: { kind: 'user', id: user.id, sessionId },
    action: 'labels.add',
    object: { kind: 'server', id: null },
    stage: 'event',
    outcome: 'done',
  })

test('members, and former members who did something; nobody of another team', async () => {
  await using _ = await openPortalDatabase()
  const [team, theirs] = [await createTeam(), await createTeam('Theirs')]
  const [owner, operator, viewer] = [await team.join('owner'), await team.join('operator'), await team.join('viewer')]
  await act(await theirs.join('owner'))
  await act(operator)
  await db().membership.deleteMany({ where: { userId: { in: [operator.user.id, viewer.user.id] } } })
  expect(await listPeople(owner)).toEqual([
    { id: owner.user.id, name: 'The owner', former: false },
    { id: operator.user.id, name: 'The operator', former: true },
  ])
})
