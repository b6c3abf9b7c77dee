import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/list'

/** What /api/servers answers. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }
