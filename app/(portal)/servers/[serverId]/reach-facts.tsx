'use client'

import type { Outcome } from '@/lib/contract/problem'
import { useOperation } from '../../../_shared/use-read'
import { CopyButton } from '../../../_ui/copy-button'
import { RelativeTime } from '../../../_ui/relative-time'
import { StateChip } from '../../../_ui/state-chip'
import { type SummaryAnswer, sayLogin } from './summary'

type ReachFactsProps = { serverId: string; hostname: string; first: Outcome<SummaryAnswer> }

/** Whether the machine answers, and how to get to it. */
export function ReachFacts({ serverId, hostname, first }: ReachFactsProps) {
  const { data, problem, readAt } = useOperation<SummaryAnswer>('servers.summary', serverId, { first, everyMs: 30_000 })
  const item = data?.item[0]
  return (
    <>
      {problem ? <StateChip tone="danger" word="Not reachable" /> : <StateChip tone="ok" word="Reachable" />}
      {item?.ip ? <CopyableFact value={item.ip} what="the address" /> : null}
      {item ? <CopyableFact value={sayLogin(item, hostname)} what="the login" /> : null}
      {readAt === null ? null : (
        <span className="text-small text-muted">
          Checked <RelativeTime at={new Date(readAt).toISOString()} />
        </span>
      )}
    </>
  )
}

function CopyableFact({ value, what }: { value: string; what: string }) {
  if (value === '') return null
  return (
    <span className="group inline-flex min-w-0 items-center gap-0.5 font-mono text-code">
      <span className="min-w-0 break-all">{value}</span>
      <CopyButton value={value} what={what} />
    </span>
  )
}
