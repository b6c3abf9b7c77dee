import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { countOf } from '../../_ui/count'

type Freezing = Pick<ConnectionView, 'label' | 'servers' | 'jobs'>

/** "its 12 servers and 2 running jobs"; empty without any. */
function formatAffected({ servers, jobs }: Freezing): string {
  const parts = [servers ? countOf(servers, 'server') : '', jobs > 0 ? countOf(jobs, 'running job') : ''].filter(Boolean)
  return parts.length === 0 ? '' : `its ${parts.join(' and ')}`
}

/** What stops, before the connection is frozen. */
export function formatStops(connection: Freezing): string {
  const affected = formatAffected(connection)
  const stops = affected === '' ? 'Gatehouse makes no calls with it' : `Gatehouse makes no calls with it for ${affected}`
  return `${stops} until it is thawed. Jobs continue at the service.`
}

/** What stopped. */
export const formatFrozen = (connection: Freezing): string =>
  `${connection.label} is frozen. Streams through it end within 5 seconds. ${formatStops(connection)}`
