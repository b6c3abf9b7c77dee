import { portalRead, type ReadAddress } from '@/app/_shared/reads/read-address'
import type { History, Range } from '@/lib/portal/views/history/read'

/** The address of a range of a server's samples. */
export const historyAddress = (serverId: string, range: Range): ReadAddress<History> =>
  portalRead('/api/servers/[serverId]/history', { serverId, range })

export const dayAddress = (serverId: string): ReadAddress<History> => historyAddress(serverId, '24h')
