/** The portal's reads by path, for the front that answers them without Next. */
import type { Reads } from '@/lib/portal/entry/front/reads'
import type { PortalReads } from '../_shared/reads/portal-reads'
import { GET as accessRequests } from './access-requests/route'
import { GET as activityCsv } from './activity/csv/route'
import { GET as heldCsv } from './approvals/[heldId]/csv/route'
import { GET as backups } from './backups/route'
import { GET as batchOffers } from './batch-offers/route'
import { GET as batch } from './batches/[batchId]/route'
import { GET as batches } from './batches/route'
import { GET as counts } from './counts/route'
import { GET as domainCheck } from './domain-check/route'
import { GET as home } from './home/route'
import { GET as archiveFile } from './jobs/[jobId]/archive/file/route'
import { GET as archive } from './jobs/[jobId]/archive/route'
import { GET as jobEvents } from './jobs/[jobId]/events/route'
import { GET as job } from './jobs/[jobId]/route'
import { GET as jobs } from './jobs/route'
import { GET as night } from './night/route'
import { GET as notifications } from './notifications/route'
import { GET as operation } from './operations/[id]/route'
import { GET as palette } from './palette/route'
import { GET as reachCsv } from './reach/csv/route'
import { GET as history } from './servers/[serverId]/history/route'
import { GET as looking } from './servers/[serverId]/looking/route'
import { GET as figures } from './servers/figures/route'
import { GET as servers } from './servers/route'
import { GET as vitals } from './servers/vitals/route'
import { GET as sites } from './sites/route'

export const reads: Reads & Record<keyof PortalReads, Reads[string]> = {
  '/api/access-requests': accessRequests,
  '/api/activity/csv': activityCsv,
  '/api/backups': backups,
  '/api/batch-offers': batchOffers,
  '/api/approvals/[heldId]/csv': heldCsv,
  '/api/batches': batches,
  '/api/batches/[batchId]': batch,
  '/api/counts': counts,
  '/api/domain-check': domainCheck,
  '/api/home': home,
  '/api/jobs': jobs,
  '/api/jobs/[jobId]': job,
  '/api/jobs/[jobId]/archive': archive,
  '/api/jobs/[jobId]/archive/file': archiveFile,
  '/api/jobs/[jobId]/events': jobEvents,
  '/api/operations/[id]': operation,
  '/api/night': night,
  '/api/notifications': notifications,
  '/api/palette': palette,
  '/api/reach/csv': reachCsv,
  '/api/servers': servers,
  '/api/servers/[serverId]/history': history,
  '/api/servers/[serverId]/looking': looking,
  '/api/servers/figures': figures,
  '/api/servers/vitals': vitals,
  '/api/sites': sites,
}
