/** Frozen connections: Gatehouse makes no calls with them until somebody thaws them. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { formatMinute } from '@/lib/text/minute'
import type { Connection } from '@/prisma/generated/portal/client'

type Freeze = Pick<Connection, 'frozenAt' | 'frozenById'>

export const isFrozen = ({ frozenAt }: Pick<Connection, 'frozenAt'>): boolean => frozenAt !== null

/** Why a frozen connection is not used: who froze it, and when. */
export async function describeFrozen({ frozenAt, frozenById }: Freeze): Promise<Problem> {
  const by = frozenById === null ? null : await db().user.findUnique({ where: { id: frozenById }, select: { name: true } })
  const who = frozenById === null ? 'Gatehouse' : (by?.name ?? 'A former member')
  const at = frozenAt && formatMinute(frozenAt)
  const sentence = `This connection is frozen: ${who} froze it on ${at}. Gatehouse makes no calls with it until it is thawed.`
  return problem('key_frozen', { sentence })
}

/** The reason not to use a connection, as it is stored now: it is frozen, or was removed. Null if there is none. Never stale. */
export function findFrozen(id: string): Promise<Problem | null> {
  return cachedUntilWrite(`frozen ${id}`, async () => {
    const connection = await db().connection.findUnique({ where: { id }, select: { frozenAt: true, frozenById: true } })
    if (!connection) return problem('no_connection', { sentence: 'This connection was removed.' })
    return isFrozen(connection) ? describeFrozen(connection) : null
  })
}
