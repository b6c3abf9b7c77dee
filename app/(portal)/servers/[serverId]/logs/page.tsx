import { logs } from '@/lib/contract/operations/logs'
import { framedPage } from '../server-page'
import { ServerLogs } from './server-logs'

const page = framedPage(
  (name) => `Logs of ${name}`,
  ({ subject: { id, name } }) => <ServerLogs serverId={id} name={name} />,
  [logs.fetch],
)

export const generateMetadata = page.generateMetadata
export default page.Page
