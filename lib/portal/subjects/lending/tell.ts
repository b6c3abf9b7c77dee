/** Tells those to whom a connection is lent that it was lent, changed or ended, and its owner if somebody else ended it. */
import 'server-only'
import { roles } from '@/lib/portal/access/roles'
import type { Person } from '@/lib/portal/identity/actor'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { Connection } from '@/prisma/generated/portal/client'
import type { Borrowers } from './find'

type ToldLoan = {
  kind: 'connection_lent' | 'loan_changed' | 'loan_ended'
  requestId: string
  startsAt?: Date | null
  endsAt?: Date | null
}

/** The names of servers and sites are left out: what a borrower sees of them depends on their access. */
export async function tellBorrowers(
  { user, team }: Person,
  { id, ownerId, label }: Pick<Connection, 'id' | 'ownerId' | 'label'>,
  to: Borrowers,
  { kind, requestId, startsAt, endsAt }: ToldLoan,
): Promise<void> {
  const concerned = [...(await findBorrowers(team.id, to)), ...(ownerId === null ? [] : [ownerId])]
  const detail = {
    by: user.name,
    label,
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
  }
  const userIds = concerned.filter((each) => each !== user.id)
  await notify({ teamId: team.id, userIds, kind, onceKey: `${kind} ${requestId}`, subject: { kind: 'connection', id }, detail })
}

async function findBorrowers(teamId: string, { userId, role }: Borrowers): Promise<string[]> {
  if (userId !== null) return [userId]
  return findMembers(teamId, role === null ? roles : [role])
}
