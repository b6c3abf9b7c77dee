/** A line of the list of servers: what a service lists of it, and its newest figures. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import type { VitalsLine } from '@/lib/portal/views/vitals/vitals'

/** Percent, counts, and minutes since 1970: see VitalsLine. */
export type ServerVitals = {
  disk: number | null
  memory: number | null
  updates: number | null
  security: number
  sites: number
  backupAt: number | null
}

/** vitals: absent while they are not read, and for whoever may not read them. */
export type ServerLine = ListedServer & { vitals?: ServerVitals }

/** Servers without figures keep what they have. */
export function withVitals(servers: readonly ServerLine[], lines: readonly VitalsLine[]): readonly ServerLine[] {
  if (lines.length === 0) return servers
  const byId = new Map<string, ServerVitals>()
  for (const [id, disk, memory, updates, security, sites, backupAt] of lines)
    byId.set(id, { disk, memory, updates, security, sites, backupAt })
  return servers.map((server) => {
    const vitals = byId.get(server.id)
    return vitals ? { ...server, vitals } : server
  })
}
