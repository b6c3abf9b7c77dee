/** The portal's own reads by path, for the pages that make them and the routes that answer (app/api). */

import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { BatchSummary, BatchView } from '@/lib/portal/batches/view'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import type { ArchiveView } from '@/lib/portal/subjects/archives/view'
import type { VersionedList } from '@/lib/portal/subjects/servers/list'
import type { PresentMember } from '@/lib/portal/subjects/servers/present-members'
import type { DomainCheck } from '@/lib/portal/subjects/sites/domain-check'
import type { VersionedSiteList } from '@/lib/portal/subjects/sites/list'
import type { AccessRequests } from '@/lib/portal/subjects/team/requests/list'
import type { VersionedBackupList } from '@/lib/portal/views/backups/list'
import type { History } from '@/lib/portal/views/history/read'
import type { Counts } from '@/lib/portal/views/home/counts'
import type { HomeView } from '@/lib/portal/views/home/home'
import type { NightView } from '@/lib/portal/views/home/night'
import type { NotificationList } from '@/lib/portal/views/notifications/list'
import type { Palette } from '@/lib/portal/views/palette/entries'
import type { VitalsList } from '@/lib/portal/views/vitals/vitals'
import type { Figures } from '../servers/figures'

/** query: the allowed parameters, besides the placeholders in the path. */
export type PortalReads = {
  '/api/access-requests': { answer: AccessRequests }
  '/api/backups': { answer: VersionedBackupList; query: 'since' }
  '/api/batch-offers': { answer: BatchOffer[]; query: 'of' }
  '/api/batches': { answer: BatchSummary[] }
  '/api/batches/[batchId]': { answer: BatchView }
  '/api/counts': { answer: Counts }
  '/api/domain-check': { answer: DomainCheck; query: 'domain' }
  '/api/home': { answer: HomeView }
  '/api/jobs': { answer: JobView[]; query: 'server' | 'site' | 'operation' | 'kind' | 'on' | 'person' | 'outcome' | 'from' | 'to' | 'zone' }
  '/api/jobs/[jobId]': { answer: { job: JobView; events: JobEventView[] }; query: 'after' }
  '/api/jobs/[jobId]/archive': { answer: ArchiveView }
  '/api/night': { answer: NightView; query: 'zone' }
  '/api/notifications': { answer: NotificationList }
  '/api/palette': { answer: Palette }
  '/api/servers': { answer: VersionedList; query: 'since' }
  '/api/servers/[serverId]/looking': { answer: PresentMember[] }
  '/api/servers/[serverId]/history': { answer: History; query: 'range' }
  '/api/servers/figures': { answer: Figures; query: 'of' | 'order' }
  '/api/servers/vitals': { answer: VitalsList; query: 'ids' }
  '/api/sites': { answer: VersionedSiteList; query: 'since' }
}
