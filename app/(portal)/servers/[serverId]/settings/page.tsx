import type { Metadata } from 'next'
import { Suspense } from 'react'
import { mayRun } from '@/lib/portal/access/roles'
import type { ServerRow } from '@/lib/portal/servers/row'
import { SandboxFrame } from '../../../../_shared/sandbox-frame'
import { Notice } from '../../../../_ui/notice'
import { PageBody } from '../../../../_ui/page-head'
import { StateChip } from '../../../../_ui/state-chip'
import { lookOf } from '../../server-state'
import { findInstallJob, findPageServer, readSummary } from '../find-page-server'
import { ServerHead } from '../server-head'
import { DangerZone } from './danger-zone'
import { Hostname } from './hostname'
import { Key } from './key'
import { Names } from './names'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Settings of ${server.name}` }
}

export default async function SettingsPage({ params }: Props) {
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
        {mayRun(actor.role, 'change') ? null : (
          <Notice tone="info" title="Your role is to look on.">
            An owner, admin or operator of the team can change this.
          </Notice>
        )}
        <div className="flex max-w-[720px] flex-col gap-7">
          <Names server={server} mayChange={mayRun(actor.role, 'change')} />
          <Suspense fallback={<Hostname serverId={serverId} hostname={server.hostname} mayChange={false} />}>
            <KnownHostname server={server} mayChange={mayRun(actor.role, 'change')} />
          </Suspense>
          <Key serverId={serverId} name={server.name} hostKey={server.hostKey} mayReset={mayRun(actor.role, 'destroy')} />
          {mayRun(actor.role, 'destroy') ? <DangerZone serverId={serverId} name={server.name} /> : null}
        </div>
      </PageBody>
    </SandboxFrame>
  )
}

/** A server that was added a moment ago is in no list that tells its name: then it is asked itself. */
async function KnownHostname({ server, mayChange }: { server: ServerRow; mayChange: boolean }) {
  const summary = server.hostname === '' ? await readSummary(server.id) : null
  const hostname = summary?.ok ? summary.data.item[0].hostname : server.hostname
  return <Hostname serverId={server.id} hostname={hostname} mayChange={mayChange} />
}
