import { apps } from '@/lib/contract/operations/apps'
import { ownerOf } from '@/lib/portal/access/connections'
import { findOffers } from '@/lib/portal/access/decide'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from '../find-page-site'
import { subjectPage } from '../site-page'
import { AppView } from './app-view'

const page = subjectPage({
  read: apps.get,
  title: 'App',
  windowTitle: (name) => `App of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the app of ${toReadableDomain(name)}.`,
  needs: apps.install,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    const newest = (operation: typeof apps.install | typeof apps.pull | typeof apps.push) =>
      findNewestJob(actor, { siteId: site.id }, operation)
    const [install, pull, push] = await Promise.all([newest(apps.install), newest(apps.pull), newest(apps.push)])
    const offers = await findOffers(actor, { siteId: site.id })
    return { site, userId: ownerOf(actor), mayPush: offers(apps.push), jobs: { install, pull, push } }
  },
  View: AppView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
