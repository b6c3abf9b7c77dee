/** The counts on every page: the number of servers and of running jobs. */
import 'server-only'
import { listUsableConnections } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { visibleTo } from '@/lib/portal/subjects/servers/row'
import { findKnownProblem } from './known-problem'

export type Counts = { servers: number; running: number }

/** Counted in the database. Services are called in the background, at most every 15 s, so that every page shows changes there. */
export async function readCounts(actor: Actor): Promise<Counts> {
  for (const connection of await listUsableConnections(actor)) void findKnownProblem(connection, 0)
  const [servers, running] = await Promise.all([
    db().server.count({ where: visibleTo(actor) }),
    db().job.count({ where: { teamId: actor.team.id, state: 'running' } }),
  ])
  return { servers, running }
}
