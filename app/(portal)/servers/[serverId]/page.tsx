import type { Metadata } from 'next'
import { Suspense } from 'react'
import { mayRun } from '@/lib/portal/access/roles'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { SandboxFrame } from '../../../_shared/sandbox-frame'
import { ButtonLink } from '../../../_ui/button'
import { PageBody } from '../../../_ui/page-head'
import { StateChip } from '../../../_ui/state-chip'
import { findInstallJob, findPageServer, readDay, readSummary } from './find-page-server'
import { ForeignService } from './foreign-service'
import { OverviewState } from './head-state'
import { History } from './history'
import { InstallNotice } from './install-notice'
import { pulseOf } from './pulse'
import { PulseStrip } from './pulse-strip'
import { ReachFacts, ReachRoom } from './reach-facts'
import { ServerHead } from './server-head'
import { SummarySkeleton } from './summary-skeleton'
import { SummaryView } from './summary-view'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: server.name }
}

export default async function ServerPage({ params }: Props) {
  const { serverId } = await params
  const [{ actor, server }, job, day] = await Promise.all([findPageServer(serverId), findInstallJob(serverId), readDay(serverId)])
  const installed = server.state === 'ready' || server.state === ''
  return (
    <ForeignService foreign={!server.extensions}>
      <SandboxFrame sandbox={server.sandbox}>
        <ServerHead
          actor={actor}
          server={server}
          hasInstall={server.state !== 'ready' || job !== null}
          action={
            installed || server.runningJobId ? null : (
              <InstallLink serverId={serverId} may={mayRun(actor.role, 'change')} state={server.state} />
            )
          }
          state={
            <Suspense fallback={<StateChip tone="neutral" word="Checking" live />}>
              <Reach server={server} />
            </Suspense>
          }
          strip={
            installed && day ? (
              <PulseStrip serverId={serverId} first={{ to: day.to, firstInMinutes: day.firstInMinutes, pulse: pulseOf(day) }} />
            ) : null
          }
          facts={
            <Suspense fallback={<ReachRoom address={server.address} hostname={server.hostname} />}>
              <Login serverId={serverId} hostname={server.hostname} />
            </Suspense>
          }
        />
        <PageBody>
          <InstallNotice server={server} offersInstall={false} />
          <Suspense fallback={<SummarySkeleton name={server.name} />}>
            <Summary server={server} mayEdit={mayRun(actor.role, 'change')} installed={installed} />
          </Suspense>
        </PageBody>
      </SandboxFrame>
    </ForeignService>
  )
}

async function Reach({ server }: { server: ServerRow }) {
  return <OverviewState server={server} first={await readSummary(server.id)} />
}

async function Login({ serverId, hostname }: { serverId: string; hostname: string }) {
  return <ReachFacts serverId={serverId} hostname={hostname} first={await readSummary(serverId)} />
}

async function Summary({ server, mayEdit, installed }: { server: ServerRow; mayEdit: boolean; installed: boolean }) {
  const [first, day] = await Promise.all([readSummary(server.id), readDay(server.id)])
  return (
    <SummaryView
      server={server}
      first={first}
      mayEdit={mayEdit}
      fullInDays={day?.fullInDays ?? null}
      history={installed && day ? <History serverId={server.id} /> : null}
    />
  )
}

function InstallLink({ serverId, may, state }: { serverId: string; may: boolean; state: string }) {
  if (!may) return null
  return (
    <ButtonLink href={`/servers/${serverId}/install`} look="primary">
      {state === 'failed' ? 'Look at the install' : 'Install'}
    </ButtonLink>
  )
}
