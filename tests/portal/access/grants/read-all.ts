/** Everything that is read for somebody. */
import { contract } from '@/lib/contract'
import { listBatchOffers } from '@/lib/portal/batches/offers'
import { listBatches } from '@/lib/portal/batches/view'
import type { Person } from '@/lib/portal/identity/actor'
import { findNewestJob, listJobChoices, listJobs } from '@/lib/portal/jobs/view'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { findKnownServers, listServers } from '@/lib/portal/subjects/servers/list'
import { findPresentMembers } from '@/lib/portal/subjects/servers/present-members'
import { findSite } from '@/lib/portal/subjects/sites/find'
import { listSiteHosts } from '@/lib/portal/subjects/sites/hosts'
import { findKnownSites, listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { listInvitations } from '@/lib/portal/subjects/team/invitations'
import { listMembers } from '@/lib/portal/subjects/team/members'
import { listPeople } from '@/lib/portal/subjects/team/people'
import { listAccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listFullDisks } from '@/lib/portal/views/history/full-disks'
import { readHistory } from '@/lib/portal/views/history/read'
import { readCounts } from '@/lib/portal/views/home/counts'
import { readHome } from '@/lib/portal/views/home/home'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { openReach } from '@/lib/portal/views/reach/open'

/** Everything that pages and routes read for somebody, as one text. */
export async function readAll(actor: Person, { serverId, siteId }: { serverId: string; siteId: string }): Promise<string> {
  const reads = [
    listServers(actor),
    findKnownServers(actor),
    listSites(actor),
    findKnownSites(actor),
    readCounts(actor),
    readPalette(actor),
    readHome(actor, 0),
    listJobs(actor),
    listJobChoices(actor),
    listBatches(actor),
    listBatchOffers(actor, 'server'),
    listBatchOffers(actor, 'site'),
    listNotifications(actor),
    listFullDisks(actor),
    readActivity(actor, readFilter({}), 'UTC', 500),
    listPeople(actor),
    listMembers(actor),
    listInvitations(actor),
    listAccessRequests(actor),
    listConnections(actor),
    listLabelNames(actor),
    listSiteHosts(actor),
    findServer(actor, serverId),
    findSite(actor, siteId),
    findPresentMembers(actor, serverId),
    readHistory(actor, serverId, '24h'),
    findNewestJob(actor, { serverId }),
    findNewestJob(actor, { siteId }),
    openReach(actor, { of: 'member', id: actor.user.id }),
    openReach(actor, { of: 'server', id: serverId }),
    openReach(actor, { of: 'site', id: siteId }),
    runOperation(actor, contract.servers.list, {}),
    runOperation(actor, contract.sites.list, {}),
    runOperation(actor, contract.servers.summary, { serverId }),
    runOperation(actor, contract.sites.summary, { siteId }),
  ]
  return JSON.stringify(await Promise.all(reads))
}
