/** The transaction of every change to grants: the change, then what must hold after it. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person, Role } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'
import { lacksFullOwner, lastFullOwner } from '../full-owner'
import { mayStill } from '../membership-change'

/**
 * `write` begins with the writing statement, and returns null if the grant or the member is no longer as seen. Afterwards an owner must
 * still have all access, and the user who makes the change must still reach the role of whoever has the access.
 */
export function changeGrants<T>(
  now: Person,
  { userId, role }: { userId: string | null; role: Role },
  write: (tx: Prisma.TransactionClient) => Promise<T | null>,
): Promise<Outcome<T>> {
  return inTransaction(
    async (tx) => {
      const data = await write(tx)
      const teamId = now.team.id
      const same = userId === null || (await tx.membership.count({ where: { userId, teamId, role } })) > 0
      if (data === null || !same) return { ok: false, problem: problem('changed_meanwhile') }
      if (role === 'owner' && (await lacksFullOwner(tx, teamId))) return { ok: false, problem: lastFullOwner }
      if (!(await mayStill(tx, now, [role]))) return { ok: false, problem: problem('forbidden') }
      return { ok: true, data }
    },
    { gone: removed },
  )
}

const removed = problem('changed_meanwhile', { sentence: 'This member was removed in the meantime, so nothing was changed.' })
