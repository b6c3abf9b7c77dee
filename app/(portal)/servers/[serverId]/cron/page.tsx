import type { Metadata } from 'next'
import { Suspense } from 'react'
import { cron } from '@/lib/contract/operations/cron'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/run-operation'
import { SandboxFrame } from '../../../../_shared/sandbox-frame'
import { PageBody } from '../../../../_ui/page-head'
import { StateChip } from '../../../../_ui/state-chip'
import { lookOf } from '../../server-state'
import { findInstallJob, findPageServer, readSummary } from '../find-page-server'
import { ServerHead } from '../server-head'
import { CronSkeleton } from './cron-skeleton'
import { CronView } from './cron-view'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Cron on ${server.name}` }
}

export default async function CronPage({ params }: Props) {
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
        <Suspense fallback={<CronSkeleton name={server.name} />}>
          <Jobs serverId={serverId} name={server.name} mayChange={mayRun(actor.role, 'change')} />
        </Suspense>
      </PageBody>
    </SandboxFrame>
  )
}

async function Jobs({ serverId, name, mayChange }: { serverId: string; name: string; mayChange: boolean }) {
  const { actor } = await findPageServer(serverId)
  const [jobs, summary] = await Promise.all([runOperation(actor, cron.list, { serverId }), readSummary(serverId)])
  const timeZone = summary.ok ? (summary.data.item[0].timezone ?? '') : ''
  return <CronView serverId={serverId} name={name} first={jobs} timeZone={timeZone} mayChange={mayChange} />
}
