import { email } from '@/lib/contract/operations/email'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from '../find-page-site'
import { subjectPage } from '../site-page'
import { EmailView } from './email-view'

const page = subjectPage({
  read: email.get,
  title: 'Email',
  windowTitle: (name) => `Email of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the email settings of ${toReadableDomain(name)}.`,
  needs: email.set,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    return { site, job: await findNewestJob(actor, { siteId: site.id }, email.set) }
  },
  View: EmailView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
