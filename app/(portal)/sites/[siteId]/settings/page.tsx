import { sites } from '@/lib/contract/operations/sites'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from '../find-page-site'
import { subjectPage } from '../site-page'
import { SettingsView } from './settings-view'

const page = subjectPage({
  read: sites.settings,
  title: 'Settings',
  windowTitle: (name) => `Settings of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the settings of ${toReadableDomain(name)}.`,
  needs: sites.configure,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    return { site, job: await findNewestJob(actor, { siteId: site.id }, sites.configure) }
  },
  View: SettingsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
