import type { Reachability, Standing } from '@/lib/contract/reachability'
import { lookOf } from '../../_shared/server-state'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'

/**
 * The state of a server: for one that cannot be reached the reason on hover, for an unknown one when it was last seen, unless
 * the chip stands in a `narrow` column and the window is no desktop's.
 */
export function ServerStateChip({ server, narrow = false }: { server: Standing; narrow?: boolean }) {
  return <StateChip {...lookOf(server)} {...moreOf(server.reach, narrow)} />
}

/** Whether a server can be reached, and nothing of its install. */
export function ReachChip({ reach }: { reach: Reachability }) {
  const look =
    reach.kind === 'reachable' ? ({ tone: 'ok', word: 'Reachable' } as const) : lookOf({ state: 'ready', runningJobId: null, reach })
  return <StateChip {...look} {...moreOf(reach)} />
}

const moreOf = (reach: Reachability, narrow = false) => ({
  more: reach.kind === 'unknown' && reach.seenAt ? <LastSeen at={reach.seenAt} narrow={narrow} /> : null,
  title: reach.kind === 'unreachable' ? reach.why : undefined,
})

const LastSeen = ({ at, narrow }: { at: string; narrow: boolean }) => (
  <span className={narrow ? 'max-desktop:hidden' : ''}>
    · last seen <RelativeTime at={at} short />
  </span>
)
