import { sites } from '@/lib/contract/operations/sites'
import { toReadableDomain } from '@/lib/text/idn'
import { Overview } from './overview'
import { OverviewSkeleton } from './overview-skeleton'
import { subjectPage } from './site-page'

const page = subjectPage({
  read: sites.summary,
  title: 'Overview',
  windowTitle: toReadableDomain,
  reading: (name) => `Reading ${toReadableDomain(name)}.`,
  needs: 'destroy',
  also: async (site) => site,
  View: Overview,
  Skeleton: OverviewSkeleton,
})

export const generateMetadata = page.generateMetadata
export default page.Page
