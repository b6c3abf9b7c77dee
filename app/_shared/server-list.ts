import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/list'

/** The answer of /api/servers. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }
