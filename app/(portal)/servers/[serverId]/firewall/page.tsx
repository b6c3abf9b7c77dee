import { Suspense } from 'react'
import { firewall } from '@/lib/contract/operations/firewall'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findPageServer, readSummary } from '../find-page-server'
import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { FirewallSkeleton } from './firewall-skeleton'
import { FirewallView } from './firewall-view'

export const generateMetadata = titled((name) => `Firewall of ${name}`)

export default function FirewallPage({ params }: ServerPageParams) {
  return (
    <ServerPage params={params}>
      {({ actor, server }) => (
        <Suspense fallback={<FirewallSkeleton name={server.name} />}>
          <Rules serverId={server.id} mayChange={mayRun(actor.role, 'change')} />
        </Suspense>
      )}
    </ServerPage>
  )
}

async function Rules({ serverId, mayChange }: { serverId: string; mayChange: boolean }) {
  const { actor, server } = await findPageServer(serverId)
  const [first, summary] = await Promise.all([runOperation(actor, firewall.get, { serverId }), readSummary(serverId)])
  const sshPort = summary.ok ? Number(summary.data.item[0].port) || 22 : 22
  const about = { serverId, name: server.name, sshPort, undoes: server.extensions }
  return <FirewallView {...about} first={first} mayChange={mayChange} />
}
