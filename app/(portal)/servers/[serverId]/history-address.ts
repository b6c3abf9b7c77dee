import type { Range } from '@/lib/portal/views/history/read'

/** Where a range of a server's samples is read. */
export const historyAddress = (serverId: string, range: Range): string =>
  `/api/servers/${encodeURIComponent(serverId)}/history?range=${range}`

export const dayAddress = (serverId: string): string => historyAddress(serverId, '24h')
