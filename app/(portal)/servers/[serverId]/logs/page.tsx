import { framedPage } from '../server-page'
import { LogsView } from './logs-view'

const page = framedPage(
  (name) => `Logs of ${name}`,
  ({ subject: { id, name } }) => <LogsView serverId={id} name={name} />,
)

export const generateMetadata = page.generateMetadata
export default page.Page
