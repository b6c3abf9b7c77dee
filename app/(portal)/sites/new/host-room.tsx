'use client'

import { useOperation } from '@/app/_shared/reads/use-read'
import { bytesOf, formatSize } from '@/app/_ui/size'

const everyMs = 60_000

/** The free space of the chosen server, as its service reports it; nothing while that is not known. */
export function HostRoom({ serverId }: { serverId: string }) {
  const { data } = useOperation('servers.summary', { serverId }, { everyMs })
  const { disk_free: free = '', disk_total: total = '' } = data?.item[0] ?? {}
  if (free === '') return null
  return (
    <span>
      {formatSize(free)} free{bytesOf(total) === null ? '' : ` of ${formatSize(total)}`}.{' '}
    </span>
  )
}
