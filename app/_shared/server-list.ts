import type { ConnectionRow, ServerRow } from '@/lib/portal/servers/row'

/** What /api/servers answers. */
export type ServerList = { servers: ServerRow[]; connections: ConnectionRow[] }
