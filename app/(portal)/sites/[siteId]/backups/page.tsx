import { backups } from '@/lib/contract/operations/backups'
import { copies } from '@/lib/contract/operations/copies'
import { sites } from '@/lib/contract/operations/sites'
import { findOffers } from '@/lib/portal/access/decide'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { listCopiesOfSite } from '@/lib/portal/subjects/backup-targets/copies'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from '../find-page-site'
import { subjectPage } from '../site-page'
import { BackupsView } from './backups-view'

const page = subjectPage({
  read: backups.list,
  title: 'Backups',
  windowTitle: (name) => `Backups of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the backups of ${toReadableDomain(name)}.`,
  needs: backups.restore,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    const newest = [backups.create, backups.restore, sites.download, copies.make, copies.restore, copies.prove].map((each) =>
      findNewestJob(actor, { siteId: site.id }, each),
    )
    const [created = null, restored = null, prepared = null, copied = null, fetched = null, proven = null] = await Promise.all(newest)
    const offers = await findOffers(actor, { siteId: site.id })
    const elsewhere = site.extensions ? await listCopiesOfSite(actor, site) : null
    const schedule = site.extensions ? await readSchedule(actor, { kind: 'site', id: site.id }) : null
    const offered = { mayCreate: offers(backups.create), mayExport: offers(sites.download), mayCopy: offers(copies.make) }
    return { site, created, restored, prepared, copied, fetched, proven, elsewhere, schedule, ...offered }
  },
  View: BackupsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
