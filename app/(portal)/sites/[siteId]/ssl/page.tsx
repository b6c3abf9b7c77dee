import { sites } from '@/lib/contract/operations/sites'
import { ssl } from '@/lib/contract/operations/ssl'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from '../find-page-site'
import { subjectPage } from '../site-page'
import { SslView } from './ssl-view'

const page = subjectPage({
  read: sites.settings,
  title: 'SSL',
  windowTitle: (name) => `SSL of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the SSL settings of ${toReadableDomain(name)}.`,
  needs: ssl.set,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    return { site, job: await findNewestJob(actor, { siteId: site.id }, ssl.set) }
  },
  View: SslView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
