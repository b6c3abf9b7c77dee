'use client'

import { useLayoutEffect } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import { forgetCheck, useCheck } from '../../../_shared/server-checks'
import { useOperation } from '../../../_shared/use-read'
import { ReachChip, ServerStateChip } from '../server-state-chip'
import type { SummaryAnswer } from './summary'
import { type ReachServer, useReach } from './use-reach'

/** The state on the pages below a server's own: each of their reads is a check. */
export function HeadState({ server }: { server: ReachServer }) {
  const reach = useReach(server, useCheck(server.id))
  useLayoutEffect(() => forgetCheck(server.id), [server])
  return <ServerStateChip server={{ ...server, reach }} />
}

/** On the server's own page, which asks the machine: whether it answers, beside an install that is not done. */
export function OverviewState({ server, first }: { server: ReachServer; first: Outcome<SummaryAnswer> }) {
  const { problem, readAt } = useOperation('servers.summary', { serverId: server.id }, { first, everyMs: 30_000 })
  const reach = useReach(server, { problem, wellAt: readAt })
  const installed = (server.state === 'ready' || server.state === '') && !server.runningJobId
  return (
    <>
      {installed || reach.kind === 'unknown' ? null : <ServerStateChip server={{ ...server, reach }} />}
      <ReachChip reach={reach} />
    </>
  )
}
