'use client'

import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { HomeView as Home } from '@/lib/portal/views/home/home'
import { usePortalLink } from '../../_shared/portal-link'
import { portalRead } from '../../_shared/read-address'
import { ReadError } from '../../_shared/read-error'
import { formatState } from '../../_shared/server-state'
import { useRecount } from '../../_shared/use-counts'
import { useRead } from '../../_shared/use-read'
import { ButtonLink } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { countOf, formatCount } from '../../_ui/count'
import { EmptyState } from '../../_ui/empty-state'
import { Notice } from '../../_ui/notice'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Attention } from './attention'
import { FirstSteps } from './first-steps'
import { RecentJobs, RunningJobs } from './jobs'

const restMs = 15_000
const busyMs = 3_000

type HomeViewProps = { first: Outcome<Home>; mayChange: boolean; stepsHidden: boolean }

/** What needs somebody, then what goes on by itself, then what went by. */
export function HomeView({ first, mayChange, stepsHidden }: HomeViewProps) {
  // Kept here: a step that ticks while somebody looks does not take the list away under their eyes.
  const [hidden, setHidden] = useState(stepsHidden)
  const read = useRead(portalRead('/api/home'), { first, everyMs: (home) => (home?.running.length ? busyMs : restMs) })
  const { link } = usePortalLink()
  const { data, problem, readAt } = read
  useRecount(data?.servers.all ?? null)
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
        facts={<span className="text-small text-muted">{formatServers(servers, link !== 'up')}</span>}
        actions={mayChange && servers.all > 0 ? <AddServer /> : null}
      />
      <PageBody>
        <ReadError read={read} />
        <div className={clsx('grid gap-7', steps && 'desktop:grid-cols-[minmax(0,1fr)_320px]')}>
          <div className="flex min-w-0 flex-col gap-7">
            {servers.all === 0 ? <NoServers mayAdd={mayChange} offersSandbox={data.offersSandbox} /> : null}
            {servers.all === 0 && data.attention.length === 0 ? null : <Attention home={data} readAt={readAt} />}
            <RunningJobs jobs={running} />
            <RecentJobs jobs={recent} />
          </div>
          {steps}
        </div>
      </PageBody>
    </>
  )
}

/** "12 servers: 9 ready, 2 unreachable, 1 not installed", in the words and by the rule of the list's filter. */
function formatServers({ all, states }: Home['servers'], stale: boolean): string {
  if (all === 0) return 'No servers yet'
  const named = countOf(all, 'server')
  const parts = shownStates.flatMap((state) => {
    const count = stale ? 0 : (states[state] ?? 0)
    return count > 0 ? [`${formatCount(count)} ${formatState(state).toLowerCase()}`] : []
  })
  return parts.length > 0 ? `${named}: ${parts.join(', ')}` : named
}

// What is only listed says nothing more than the number of servers does.
const shownStates = ['ready', 'unreachable', 'unknown', 'installing', 'failed', 'new'] as const

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

function NoServers({ mayAdd, offersSandbox }: { mayAdd: boolean; offersSandbox: boolean }) {
  const ways = (
    <>
      <ButtonLink href="/servers/new" variant="primary">
        Add server
      </ButtonLink>
      {offersSandbox ? <ButtonLink href="/servers/new?provider=sandbox">Try with a sandbox server</ButtonLink> : null}
    </>
  )
  return (
    <Card>
      <EmptyState title="No servers yet" actions={mayAdd ? ways : null}>
        <p>What needs attention will stand here, what is under way, and what was done.</p>
        <p>
          {!mayAdd
            ? 'An owner, admin or operator of the team can add the first server.'
            : offersSandbox
              ? 'Begin with a Debian machine you can reach by SSH, or with a sandbox server: that one is simulated and touches nothing.'
              : 'Add a server, and your service manages it.'}
        </p>
      </EmptyState>
    </Card>
  )
}
