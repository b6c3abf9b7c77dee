import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { LogsView } from './logs-view'

export const generateMetadata = titled((name) => `Logs of ${name}`)

export default function LogsPage({ params }: ServerPageParams) {
  return <ServerPage params={params}>{({ server }) => <LogsView serverId={server.id} name={server.name} />}</ServerPage>
}
