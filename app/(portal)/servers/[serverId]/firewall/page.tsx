import type { Metadata } from 'next'
import { Suspense } from 'react'
import { firewall } from '@/lib/contract/operations/firewall'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/run-operation'
import { SandboxFrame } from '../../../../_shared/sandbox-frame'
import { PageBody } from '../../../../_ui/page-head'
import { StateChip } from '../../../../_ui/state-chip'
import { lookOf } from '../../server-state'
import { findInstallJob, findPageServer, readSummary } from '../find-page-server'
import { ServerHead } from '../server-head'
import { FirewallSkeleton } from './firewall-skeleton'
import { FirewallView } from './firewall-view'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Firewall of ${server.name}` }
}

export default async function FirewallPage({ params }: Props) {
  const { serverId } = await params
  const [{ actor, server }, job] = await Promise.all([findPageServer(serverId), findInstallJob(serverId)])
  const installed = server.state === 'ready' || server.state === ''
  return (
    <SandboxFrame sandbox={server.sandbox}>
      <ServerHead
        actor={actor}
        server={server}
        hasInstall={!installed || job !== null}
        state={<StateChip {...lookOf(server)} />}
        facts={<span className="font-mono text-code break-all">{server.hostname}</span>}
      />
      <PageBody>
        <Suspense fallback={<FirewallSkeleton name={server.name} />}>
          <Rules serverId={serverId} mayChange={mayRun(actor.role, 'change')} />
        </Suspense>
      </PageBody>
    </SandboxFrame>
  )
}

async function Rules({ serverId, mayChange }: { serverId: string; mayChange: boolean }) {
  const { actor, server } = await findPageServer(serverId)
  const [first, summary] = await Promise.all([runOperation(actor, firewall.get, { serverId }), readSummary(serverId)])
  const sshPort = summary.ok ? Number(summary.data.item[0].port) || 22 : 22
  // Only a service of our own kind says how far a server has come, and only that one takes back what locks it out.
  const about = { serverId, name: server.name, sshPort, undoes: server.state !== '' }
  return <FirewallView {...about} first={first} mayChange={mayChange} />
}
