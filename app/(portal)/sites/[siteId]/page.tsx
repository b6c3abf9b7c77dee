import { sites } from '@/lib/contract/operations/sites'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from './find-page-site'
import { Overview } from './overview'
import { OverviewSkeleton } from './overview-skeleton'
import { subjectPage } from './site-page'

const page = subjectPage({
  read: sites.summary,
  title: 'Overview',
  windowTitle: toReadableDomain,
  reading: (name) => `Reading ${toReadableDomain(name)}.`,
  needs: 'destroy',
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    return { site, job: await findNewestJob(actor, { siteId: site.id }, sites.create) }
  },
  View: Overview,
  Skeleton: OverviewSkeleton,
})

export const generateMetadata = page.generateMetadata
export default page.Page
