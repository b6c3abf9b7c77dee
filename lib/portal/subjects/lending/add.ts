/** The rows of a loan, and how the audit log names it. */
import 'server-only'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import type { Person } from '@/lib/portal/identity/actor'
import { formatAccess } from '@/lib/text/access'
import { formatMinute } from '@/lib/text/minute'
import type { Prisma } from '@/prisma/generated/portal/client'
import type { AskedAccess } from '../team/access/form'
import type { Borrowers } from './find'

type NewLoan = { id: string; connectionId: string; to: Pick<Borrowers, 'userId' | 'role'> }

/** For a connection that was found to be the actor's own. Null if the connection or the member is gone since. */
export async function addLoan(
  tx: Prisma.TransactionClient,
  { user, team }: Person,
  { id, connectionId, to: { userId, role } }: NewLoan,
  asked: AskedAccess,
): Promise<{ loanId: string } | null> {
  // Connection and member may be gone since the password was asked for. The first statement writes, so that what follows reads what is.
  const { count } = await tx.connection.updateMany({ where: { id: connectionId, ownerId: user.id }, data: { ownerId: user.id } })
  const gone = userId !== null && (await tx.membership.count({ where: { userId, teamId: team.id } })) === 0
  if (count === 0 || gone) return null
  const row = { id, teamId: team.id, connectionId, userId, role, validFrom: asked.from ?? new Date() }
  await tx.loan.create({ data: { ...row, ...columnsOf(asked), scopes: { create: asked.scopes.map(toScopeRow) } } })
  return { loanId: id }
}

/** purpose: that it is the whole team. */
export function whose({ userId, role, email }: Borrowers): { email: string } | { role: string } | { purpose: 'team' } {
  if (userId !== null) return { email }
  return role === null ? { purpose: 'team' } : { role }
}

export const detailOf = (to: Borrowers, asked: AskedAccess) => ({
  ...whose(to),
  about: formatAccess({ ...asked, operations: [] }, asked.names),
  from: asked.from ? formatMinute(asked.from) : undefined,
  until: asked.until ? formatMinute(asked.until) : undefined,
  why: asked.why === '' ? undefined : asked.why,
})

export const columnsOf = ({ until, why, subjects, effects, root }: AskedAccess) => ({
  ...toColumns({ subjects, effects, root, operations: [] }),
  until,
  why,
})
