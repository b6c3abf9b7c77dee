import { clsx } from 'clsx'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { AskHere } from '@/app/_shared/access-requests/ask-here'
import { LastChanges } from '@/app/_shared/activity/last-changes'
import { ForeignService } from '@/app/_shared/connections/foreign-service'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { PageBody } from '@/app/_ui/page-head'
import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'
import { StateChip } from '@/app/_ui/state-chip'
import type { Operation } from '@/lib/contract/operation'
import { servers } from '@/lib/contract/operations/servers'
import { services } from '@/lib/contract/operations/services'
import { findOffers } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { findPageServer, readDay, readServices, readSummary, readVitals } from './find-page-server'
import { AnswersChip, OverviewState } from './head-state'
import { History } from './history'
import { pulseOf } from './pulse'
import { PulseStrip } from './pulse-strip'
import { ReachabilityFacts, ReachabilitySkeleton } from './reachability-facts'
import { firstTabOf, InstallNotice, ServerHead } from './server-head'
import { ServerSites } from './server-sites'
import { Services } from './services'
import { SummaryView } from './summary-view'

/** The boxes of the summary, at their final heights. live: with the current usage. */
export function SummarySkeleton({ name, live }: { name: string; live: boolean }) {
  return (
    <>
      {live ? (
        <Card className="overflow-hidden">
          <div className="grid grid-cols-2 gap-px bg-line tablet:grid-cols-3 *:bg-surface">
            {['CPU', 'Load', 'Network'].map((figure) => (
              <Box key={figure} className="h-[104px]" />
            ))}
            {['Memory', 'Disk', 'Updates'].map((figure) => (
              <Box key={figure} />
            ))}
          </div>
        </Card>
      ) : (
        <Card className="flex divide-line max-tablet:flex-col max-tablet:divide-y tablet:divide-x">
          {['Disk', 'Memory', 'Updates'].map((figure) => (
            <Box key={figure} />
          ))}
        </Card>
      )}
      <Section title="System" aside={<Waiting description={`Checking ${name}.`} />}>
        <Card className="divide-y divide-line">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
            <div key={row} className="flex h-[35px] items-center gap-8 px-4">
              <Skeleton className="h-3.5 w-20" />
              <Skeleton className="h-3.5 w-48" />
            </div>
          ))}
        </Card>
      </Section>
    </>
  )
}

const Box = ({ className }: { className?: string }) => (
  <div className={clsx('flex flex-1 flex-col gap-2 px-4 py-3.5', className)}>
    <Skeleton className="h-3.5 w-14" />
    <Skeleton className="h-6 w-32 max-w-full" />
    <Skeleton className="h-1.5 w-full" />
  </div>
)

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: server.name }
}

export default async function ServerPage({ params }: Props) {
  const { serverId } = await params
  const [{ actor, server }, day] = await Promise.all([findPageServer(serverId), readDay(serverId)])
  const installed = server.state === 'ready' || server.state === ''
  const offers = await findOffers(actor, { serverId })
  if (!offers(servers.summary)) redirect(firstTabOf(server, offers))
  return (
    <ForeignService foreign={!server.extensions}>
      <SandboxFrame sandbox={server.sandbox}>
        <ServerHead
          actor={actor}
          server={server}
          state={
            <Suspense fallback={<StateChip tone="neutral" label="Checking" live />}>
              <Reach server={server} />
            </Suspense>
          }
        />
        <PageBody>
          <InstallNotice server={server} offersInstall={offers(servers.install)} />
          <AskHere actor={actor} place={{ kind: 'server', id: serverId, name: server.name }} needs={[servers.update]}>
            <div className="flex flex-col gap-2">
              <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1">
                <Suspense fallback={<ReachabilitySkeleton address={server.address} hostname={server.hostname} />}>
                  <Login server={server} />
                </Suspense>
              </div>
              {installed && day ? (
                <PulseStrip serverId={serverId} first={{ to: day.to, firstInMinutes: day.firstInMinutes, pulse: pulseOf(day) }} />
              ) : null}
            </div>
            <Suspense fallback={<SummarySkeleton name={server.name} live={installed && server.extensions} />}>
              <Summary actor={actor} server={server} offers={offers} installed={installed} />
            </Suspense>
          </AskHere>
        </PageBody>
      </SandboxFrame>
    </ForeignService>
  )
}

async function Reach({ server }: { server: ServerRow }) {
  return <OverviewState server={server} first={await readSummary(server.id)} />
}

async function Login({ server }: { server: ServerRow }) {
  const first = await readSummary(server.id)
  return (
    <>
      <AnswersChip server={server} first={first} />
      <ReachabilityFacts serverId={server.id} hostname={server.hostname} first={first} />
    </>
  )
}

type SummaryProps = { actor: Actor; server: ServerRow; offers: (operation: Operation) => boolean; installed: boolean }

async function Summary({ actor, server, offers, installed }: SummaryProps) {
  const tells = installed && server.extensions
  const [first, day, vitals, found] = await Promise.all([
    readSummary(server.id),
    readDay(server.id),
    tells && offers(servers.vitals) ? readVitals(server.id) : null,
    tells && offers(services.list) ? readServices(server.id) : null,
  ])
  return (
    <SummaryView
      server={server}
      first={first}
      mayEdit={offers(servers.update)}
      fullInDays={day?.fullInDays ?? null}
      vitals={vitals}
      running={
        <div className="grid gap-7 desktop:grid-cols-2">
          {found ? <Services serverId={server.id} first={found} may={offers(services.restart)} /> : null}
          <div className="flex min-w-0 flex-col gap-7">
            <ServerSites actor={actor} serverId={server.id} />
            <LastChanges objectId={server.id} />
          </div>
        </div>
      }
      history={installed && day ? <History serverId={server.id} /> : null}
    />
  )
}
