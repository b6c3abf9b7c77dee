/** The few figures that stand on every page: how many servers, how many jobs under way. */
import 'server-only'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { visibleTo } from '../servers/row'

export type Counts = { servers: number; running: number }

/** Counted in the database: no list is read and no service asked. */
export async function readCounts(actor: Actor): Promise<Counts> {
  const [servers, running] = await Promise.all([
    db().server.count({ where: visibleTo(actor) }),
    db().job.count({ where: { teamId: actor.team.id, state: 'running' } }),
  ])
  return { servers, running }
}
