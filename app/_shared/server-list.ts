import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/row'

/** The answer of /api/servers. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }
