/** Single figures of all servers, to sort and filter the list of servers by. */
import 'server-only'
import type { Actor } from '@/lib/portal/identity/actor'
import { orderOf } from '@/lib/portal/subjects/listing/version'
import { findKnownServers } from '@/lib/portal/subjects/servers/list'
import { readVitals } from './vitals'

/** The members of a VitalsLine, in its order. */
export const figureNames = ['disk', 'memory', 'updates', 'security', 'sites', 'backupAt', 'load'] as const

export type FigureName = (typeof figureNames)[number]

/** Replaces a figure of a server whose summary the actor may not read; no figure is negative. */
const unreadable = -1

/**
 * columns: by figure, that of each server in the order of the list that has this `order`. Ids would be most of the answer: there may be
 * thousands, and the list has them.
 */
export type FigureColumns = { order: string; columns: Partial<Record<FigureName, (number | null)[]>> }

/** Calls no service. */
export async function readFigureColumns(actor: Actor, names: readonly FigureName[], now = Date.now()): Promise<FigureColumns> {
  if (names.length === 0) return { order: '', columns: {} }
  const [known, vitals] = await Promise.all([findKnownServers(actor), readVitals(actor, now)])
  const servers = known?.servers ?? []
  const byId = new Map(vitals.map(([id, ...figures]) => [id, figures]))
  const columns = names.map((name) => {
    const at = figureNames.indexOf(name)
    return [name, servers.map(({ id }) => byId.get(id)?.[at] ?? (byId.has(id) ? null : unreadable))]
  })
  return { order: orderOf(servers), columns: Object.fromEntries(columns) }
}
