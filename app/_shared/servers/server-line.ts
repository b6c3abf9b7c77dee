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
  load: number | null
}

/** vitals: those that the list is sorted or filtered by, and all of rows that the portal rendered; none if the user may not read them. */
export type ServerLine = ListedServer & { vitals?: Partial<ServerVitals> }

export const vitalsOf = ([, disk, memory, updates, security, sites, backupAt, load]: VitalsLine): ServerVitals => ({
  disk,
  memory,
  updates,
  security,
  sites,
  backupAt,
  load,
})

/** Servers without figures keep what they have. */
export function withVitals(servers: readonly ServerLine[], byId: ReadonlyMap<string, Partial<ServerVitals>>): readonly ServerLine[] {
  if (byId.size === 0) return servers
  return servers.map((server) => {
    const vitals = byId.get(server.id)
    return vitals ? { ...server, vitals } : server
  })
}

export const vitalsById = (lines: readonly VitalsLine[]): Map<string, ServerVitals> =>
  new Map(lines.map((line) => [line[0], vitalsOf(line)]))
