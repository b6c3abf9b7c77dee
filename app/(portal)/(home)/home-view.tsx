'use client'

import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Card } from '@/app/_ui/section'
import type { Outcome } from '@/lib/contract/problem'
import type { HomeView as Home } from '@/lib/portal/views/home/home'
import type { NightView } from '@/lib/portal/views/home/night'
import { BatchRows } from '../../_shared/batches/batch-summary'
import { usePortalLink } from '../../_shared/frame/portal-link'
import { portalRead } from '../../_shared/reads/read-address'
import { ReadError } from '../../_shared/reads/read-error'
import { useRecount } from '../../_shared/reads/use-counts'
import { useRead } from '../../_shared/reads/use-read'
import { ButtonLink } from '../../_ui/button'
import { countOf } from '../../_ui/count'
import { EmptyState } from '../../_ui/empty-state'
import { Notice } from '../../_ui/notice'
import { PageBody, PageHead } from '../../_ui/page-head'
import { RelativeTime } from '../../_ui/relative-time'
import { SentenceOfLinks } from '../../_ui/sentence-of-links'
import { Attention } from './attention'
import { FirstSteps } from './first-steps'
import { RecentJobs, RunningJobs } from './jobs'
import { Night } from './night'

type FleetSentenceProps = { home: Home; isStale: boolean; readAt: number | null }

/** The state of the fleet in one sentence. Each part leads to what it is about. Stale: without states, which are not known then. */
function FleetSentence({ home: { fleet, servers }, isStale, readAt }: FleetSentenceProps) {
  if (isStale) {
    return (
      <p className="text-small text-muted">
        {countOf(servers.all, 'server')}
        {readAt === null ? null : (
          <>
            , read <RelativeTime at={new Date(readAt).toISOString()} />
          </>
        )}
      </p>
    )
  }
  return <SentenceOfLinks label="State of the fleet" parts={fleet} />
}

/** The age of Gatehouse's own backups, for owners. What is wrong with them is among the problems. */
function OwnBackups({ backups }: { backups: Home['ownBackups'] }) {
  if (backups === null) return null
  if (backups.length === 0) {
    return (
      <p className="text-small text-muted">
        No backups of Gatehouse are scheduled. The setting BACKUP_RECIPIENT turns them on (docs/running.md).
      </p>
    )
  }
  return (
    <p className="text-small text-muted">
      Newest backup of Gatehouse:{' '}
      {backups.map(({ half, madeAt }, place) => (
        <span key={half}>
          {place === 0 ? '' : ', '}
          {half} {madeAt === null ? 'none yet' : <RelativeTime at={madeAt} />}
        </span>
      ))}
      .
    </p>
  )
}

const restMs = 15_000
const busyMs = 3_000

/** denied: who can add a server or give access, for those who may not add any. */
type HomeViewProps = {
  first: Outcome<Home>
  night: Outcome<NightView>
  mayChange: boolean
  denied: ReactNode
  guest: boolean
  stepsHidden: boolean
}

/** The state of the fleet, what needs attention, what is running, and what ended. */
export function HomeView({ first, night, mayChange, denied, guest, stepsHidden }: HomeViewProps) {
  // Stored here, so that a step checked off now does not hide the list while the user is looking at it.
  const [hidden, setHidden] = useState(stepsHidden)
  const read = useRead(portalRead('/api/home'), { first, everyMs: (home) => (isBusy(home) ? busyMs : restMs) })
  const { link } = usePortalLink()
  const { data, problem, readAt } = read
  useRecount('servers', data?.servers.all ?? null)
  if (!data) return problem ? <Unread sentence={problem.sentence} /> : null
  const { firstSteps, servers, running, recent } = data
  const steps =
    firstSteps === null || hidden ? null : (
      <FirstSteps steps={firstSteps} offersSandbox={data.offersSandbox} mayChange={mayChange} onHide={setHidden} />
    )
  return (
    <>
      <PageHead
        title="Home"
        facts={
          data.fleet.length === 0 ? (
            <span className="text-small text-muted">{noServers(guest, data.seesSites)}</span>
          ) : (
            <FleetSentence home={data} isStale={link !== 'up'} readAt={readAt} />
          )
        }
        actions={mayChange && servers.all > 0 ? <AddServer /> : null}
      />
      <PageBody>
        <ReadError read={read} />
        <div className={clsx('grid gap-7', steps && 'desktop:grid-cols-[minmax(0,1fr)_320px]')}>
          <div className="flex min-w-0 flex-col gap-7">
            {servers.all === 0 ? <NoServers home={data} mayAdd={mayChange} denied={denied} guest={guest} /> : null}
            {servers.all === 0 && data.attention.length === 0 ? null : <Attention home={data} readAt={readAt} />}
            <BatchRows title="Several at once" batches={data.runningBatches} />
            <RunningJobs jobs={running} />
            {servers.all > 0 || data.seesSites ? <Night first={night} states={servers.states} /> : null}
            <RecentJobs works={recent} />
            {data.servers.all > 0 ? <OwnBackups backups={data.ownBackups} /> : null}
          </div>
          {steps}
        </div>
      </PageBody>
    </>
  )
}

const isBusy = (home: Home | null): boolean => home !== null && home.running.length + home.runningBatches.length > 0

const Unread = ({ sentence }: { sentence: string }) => (
  <>
    <PageHead title="Home" />
    <PageBody>
      <Notice tone="warn" title={sentence}>
        Retrying automatically.
      </Notice>
    </PageBody>
  </>
)

const AddServer = () => (
  <ButtonLink href="/servers/new" variant="primary">
    <Plus aria-hidden size={16} strokeWidth={1.5} />
    Add server
  </ButtonLink>
)

type NoServersProps = { home: Home; mayAdd: boolean; denied: ReactNode; guest: boolean }

/** A guest may see sites alone. */
function noServers(guest: boolean, seesSites: boolean): string {
  if (!guest) return 'No servers yet'
  return seesSites ? 'You have access to sites' : 'Nothing in your access yet'
}

function NoServers({ home: { seesSites, offersSandbox }, mayAdd, denied, guest }: NoServersProps) {
  const ways = (
    <>
      <ButtonLink href="/servers/new" variant="primary">
        Add server
      </ButtonLink>
      {offersSandbox ? <ButtonLink href="/servers/new?provider=sandbox">Try with a sandbox server</ButtonLink> : null}
    </>
  )
  const viewSites = (
    <ButtonLink href="/sites" variant="primary">
      View sites
    </ButtonLink>
  )
  return (
    <Card>
      <EmptyState title={noServers(guest, seesSites)} actions={mayAdd ? ways : guest && seesSites ? viewSites : null}>
        <p>Problems, running jobs and recent activity appear here.</p>
        {mayAdd ? (
          <p>
            {offersSandbox
              ? 'Start with a Debian server you can reach over SSH, or with a simulated sandbox server that touches nothing real.'
              : 'Add a server, and your service manages it.'}
          </p>
        ) : guest && seesSites ? null : (
          denied
        )}
      </EmptyState>
    </Card>
  )
}
