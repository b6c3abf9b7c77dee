import { cron } from '@/lib/contract/operations/cron'
import { readSummary } from '../find-page-server'
import { subjectPage } from '../server-page'
import { CronView } from './cron-view'

const page = subjectPage({
  read: cron.list,
  title: 'Cron jobs',
  windowTitle: (name) => `Cron on ${name}`,
  reading: (name) => `Reading the crontabs of ${name}.`,
  needs: cron.save,
  also: readTimeZone,
  View: CronView,
})

export const generateMetadata = page.generateMetadata
export default page.Page

/** The server's time zone, which its jobs use; '' if it does not report one. */
async function readTimeZone({ id }: { id: string }): Promise<string> {
  const summary = await readSummary(id)
  return summary.ok ? (summary.data.item[0].timezone ?? '') : ''
}
