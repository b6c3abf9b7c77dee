import type { ConnectionRow, ListedServer } from '@/lib/portal/servers/row'

/** What /api/servers answers. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }
