import { logs } from '@/lib/contract/operations/logs'
import { toReadableDomain } from '@/lib/text/idn'
import { NotReported } from '../not-reported'
import { framedPage } from '../site-page'
import { SiteLogs } from './site-logs'

const page = framedPage(
  (name) => `Logs of ${toReadableDomain(name)}`,
  ({ subject: { id, name, extensions } }) =>
    extensions ? <SiteLogs siteId={id} name={toReadableDomain(name)} /> : <NotReported title="Logs" what="logs of sites" />,
  [logs.fetchSite],
)

export const generateMetadata = page.generateMetadata
export default page.Page
