'use client'

import { useLayoutEffect } from 'react'
import { linkProblem, usePortalLink } from '@/app/_shared/frame/portal-link'
import { useNewestJob } from '@/app/_shared/jobs/use-job'
import { portalRead } from '@/app/_shared/reads/read-address'
import { useOperation, useRead } from '@/app/_shared/reads/use-read'
import { forgetCheck, type PageCheck, useCheck } from '@/app/_shared/servers/server-checks'
import type { Outcome } from '@/lib/contract/problem'
import { type Reachability, reachable, resolveReachability } from '@/lib/contract/reachability'
import type { JobView } from '@/lib/portal/jobs/view'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { ReachabilityChip, ServerStateChip } from '../server-state-chip'
import type { SummaryAnswer } from './summary'

type JobWatchProps = { serverId: string; newest: JobView | null }

/** Refreshes the page when a job of this server begins or ends. */
export function JobWatch({ serverId, newest }: JobWatchProps) {
  useNewestJob(portalRead('/api/jobs', { server: serverId }), newest)
  return null
}

const shown = 4

/** The other members who are looking at this server now. */
export function PresentMembers({ serverId }: { serverId: string }) {
  const { data } = useRead(portalRead('/api/servers/[serverId]/looking', { serverId }), { everyMs: 15_000 })
  if (!data || data.length === 0) return null
  const names = `Also looking at this server: ${data.map(({ name }) => name).join(', ')}`
  return (
    <span role="img" aria-label={names} title={names} className="inline-flex items-center gap-0.5">
      {data.slice(0, shown).map(({ id, name }) => (
        <span key={id} className={avatar}>
          {initialsOf(name)}
        </span>
      ))}
      {data.length > shown ? <span className={avatar}>+{data.length - shown}</span> : null}
    </span>
  )
}

const avatar =
  'inline-flex size-6 items-center justify-center rounded-full border border-line bg-accent-soft text-chip font-semibold text-ink'

/** "Mira Lindqvist" is ML. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The state on the pages below a server's overview: each of their reads is a check. */
export function HeadState({ server }: { server: ReachabilityServer }) {
  const reach = useReachability(server, useCheck(server.id))
  useLayoutEffect(() => forgetCheck(server.id), [server])
  return <ServerStateChip server={{ ...server, reach }} />
}

/** On the overview, which reads the server: its reachability, once it is installed. */
export function OverviewState({ server, first }: OverviewProps) {
  const reach = useOverviewReachability({ server, first })
  return isInstalled(server) || reach.kind === 'unknown' ? (
    <ReachabilityChip reach={reach} />
  ) : (
    <ServerStateChip server={{ ...server, reach }} />
  )
}

/** The reachability of a server that is not installed yet, next to the header's install state. */
export function AnswersChip({ server, first }: OverviewProps) {
  const reach = useOverviewReachability({ server, first })
  return isInstalled(server) || reach.kind === 'unknown' ? null : <ReachabilityChip reach={reach} />
}

type OverviewProps = { server: ReachabilityServer; first: Outcome<SummaryAnswer> }

function useOverviewReachability({ server, first }: OverviewProps): Reachability {
  const { problem, readAt } = useOperation('servers.summary', { serverId: server.id }, { first, everyMs: 30_000 })
  return useReachability(server, { problem, wellAt: readAt })
}

const isInstalled = ({ state, runningJobId }: ReachabilityServer): boolean => (state === 'ready' || state === '') && !runningJobId

type ReachabilityServer = Pick<ServerRow, 'id' | 'state' | 'runningJobId' | 'reach' | 'listedAt'>

/** Whether the server is reachable: from this page's newest check of it, else as rendered by the portal. */
function useReachability({ reach, listedAt }: ReachabilityServer, check: PageCheck | null): Reachability {
  const { link } = usePortalLink()
  const wellAt = check?.wellAt ?? null
  const known = wellAt === null ? reach : reachable
  const seenAt = wellAt === null ? listedAt : new Date(wellAt).toISOString()
  return resolveReachability(known, linkProblem(link) ?? check?.problem ?? null, { checkedAt: seenAt, seenAt })
}
