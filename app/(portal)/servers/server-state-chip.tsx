import type { Reachability, Standing } from '@/lib/contract/reachability'
import { chipOf } from '../../_shared/servers/server-state'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'

/** The state of a server: with the reason on hover if unreachable, with the time it was last seen if unknown. */
export function ServerStateChip({ server }: { server: Standing }) {
  return <StateChip {...chipOf(server)} {...moreOf(server.reach)} />
}

/** The reachability of a server, without its install state. */
export function ReachabilityChip({ reach }: { reach: Reachability }) {
  const variant =
    reach.kind === 'reachable' ? ({ tone: 'ok', label: 'Reachable' } as const) : chipOf({ state: 'ready', runningJobId: null, reach })
  return <StateChip {...variant} {...moreOf(reach)} />
}

const moreOf = (reach: Reachability) => ({
  more: reach.kind === 'unknown' && reach.seenAt ? <LastSeen at={reach.seenAt} /> : null,
  title: reach.kind === 'unreachable' ? reach.why : undefined,
})

const LastSeen = ({ at }: { at: string }) => (
  <>
    · last seen <RelativeTime at={at} short />
  </>
)
