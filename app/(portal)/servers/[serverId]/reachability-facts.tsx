'use client'

import { useOperation } from '@/app/_shared/reads/use-read'
import { CopyButton } from '@/app/_ui/copy-button'
import { RelativeTime } from '@/app/_ui/relative-time'
import type { Outcome } from '@/lib/contract/problem'
import { formatLogin, type SummaryAnswer } from './summary'

type ReachabilityProps = { serverId: string; first: Outcome<SummaryAnswer> }

/** How to reach the server, as far as it reported that itself. */
export function ReachabilityFacts({ serverId, hostname, first }: ReachabilityProps & { hostname: string }) {
  const { data, readAt } = useOperation('servers.summary', { serverId }, { first, everyMs: 30_000 })
  const item = data?.item[0]
  return (
    <>
      {item?.ip ? <CopyableFact value={item.ip} what="the address" /> : null}
      {item ? <CopyableFact value={formatLogin(item, hostname)} what="the login" /> : null}
      {readAt === null ? null : (
        <span className="text-small text-muted">
          Checked <RelativeTime at={new Date(readAt).toISOString()} />
        </span>
      )}
    </>
  )
}

/** About the space those facts will take: on a phone they use lines of their own, and the content below must not move. */
export function ReachabilitySkeleton({ address, hostname }: { address: string; hostname: string }) {
  const fact = 'inline-flex h-7 touch:h-9 items-center pr-7.5 touch:pr-9.5 font-mono text-code'
  return (
    <span aria-hidden className="invisible contents">
      <span className={fact}>{address}</span>
      <span className={fact}>root@{hostname || address}:22</span>
      <span className="text-small">Checked a moment ago</span>
    </span>
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
