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
  return <StateChip {...chipOf({ state: 'ready', runningJobId: null, reach })} {...moreOf(reach)} />
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
