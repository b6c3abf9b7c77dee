/** Which notifications go into a channel's next message, and when a failed message is tried again. Pure. */
import 'server-only'
import type { ChannelKind, NotificationKind } from '@/prisma/generated/portal/client'
import { isQuiet, type QuietHours } from './quiet'

/** subjectId: what it is about. */
export type Pending = { id: string; kind: NotificationKind; subjectId: string | null; at: Date }

/** A message of events that was made earlier. calm: what it was about of that which has separate limits. */
export type Earlier = { at: Date; calm: ReadonlySet<string> }

const minute = 60_000
const hour = 60 * minute

/** Events within this time of the first are one message. */
const gatherMs = minute

/** After so many messages within an hour, the next ones are this far apart: at most 12 an hour. */
const [manyAnHour, apartMs] = [6, 10 * minute]

/** The most events in one message; more are in the next. A program gets each of them, people a list that is cut. */
const maxEvents: Readonly<Record<ChannelKind, number>> = { webhook: 250, mail: 1000, slack: 1000, ntfy: 1000 }

type Limit = { messages: number; withinMs: number }

/** How many messages about one server's reachability there are at most; what happens meanwhile waits, and is then one line. */
const reachLimits: readonly Limit[] = [
  { messages: 2, withinMs: hour },
  { messages: 4, withinMs: 6 * hour },
]

/** And about what servers and sites need in the next days, which many reach within a few hours of each other. */
const upkeepLimits: readonly Limit[] = [{ messages: 1, withinMs: 3 * hour }]

/** How far back earlier messages count. */
export const earlierMs = 6 * hour

const reachKinds: ReadonlySet<NotificationKind> = new Set(['server_unreachable', 'server_reachable'])
const upkeepKinds: ReadonlySet<NotificationKind> = new Set([
  'backup_late',
  'certificate_ending',
  'copy_good',
  'copy_late',
  'updates_waiting',
])

/** Those that limits of their own hold back. */
export const calmKinds: readonly NotificationKind[] = [...reachKinds, ...upkeepKinds]

/** Whether it says that a server is unreachable, or reachable again. */
const isReach = ({ kind }: Pick<Pending, 'kind'>): boolean => reachKinds.has(kind)

/** What shares separate limits; null without any. */
export function calmOf({ kind, subjectId }: Pick<Pending, 'kind' | 'subjectId'>): string | null {
  if (reachKinds.has(kind)) return `reach ${subjectId}`
  return upkeepKinds.has(kind) ? 'upkeep' : null
}

type Receiver = QuietHours & { kind: ChannelKind }

/** The ids of the notifications for a message now, oldest first; none if it is too early, or the hours are quiet. */
export function planMessage(pending: readonly Pending[], earlier: readonly Earlier[], receiver: Receiver, now: Date): string[] {
  if (isQuiet(receiver, now)) return []
  const ages = earlier.map(({ at }) => now.getTime() - at.getTime()).filter((age) => age < hour)
  if (ages.length >= manyAnHour && Math.min(...ages) < apartMs) return []
  const ready = pending.filter((each) => !isHeld(each, earlier, now))
  if (!ready.some(({ at }) => now.getTime() - at.getTime() >= gatherMs)) return []
  const oldestFirst = [...ready].sort((one, other) => one.at.getTime() - other.at.getTime() || one.id.localeCompare(other.id))
  return oldestFirst.slice(0, maxEvents[receiver.kind]).map(({ id }) => id)
}

function isHeld(event: Pending, earlier: readonly Earlier[], now: Date): boolean {
  const calm = calmOf(event)
  if (calm === null) return false
  // What an earlier message about upkeep had no room for is the rest of it.
  const counts = ({ at }: Earlier) => isReach(event) || at.getTime() < event.at.getTime()
  const ages = earlier.filter((each) => each.calm.has(calm) && counts(each)).map(({ at }) => now.getTime() - at.getTime())
  const limits = isReach(event) ? reachLimits : upkeepLimits
  return limits.some(({ messages, withinMs }) => ages.filter((age) => age < withinMs).length >= messages)
}

/** Failures in a row after which a channel is off: with the waits below, after more than 26 hours. */
export const maxFailures = 20

/** What a receiver answers that does not take this message, and will not: later ones should not wait behind it. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422])
const maxRefusals = 5

/** attempts: this one included. */
export const isHopeless = (status: number | null, attempts: number): boolean =>
  status !== null && refusals.has(status) && attempts >= maxRefusals

const maxWaitMs = 2 * hour

/** From a minute, doubled each time, to two hours. failures: in a row, this one included. */
export const waitAfter = (failures: number): number => Math.min(maxWaitMs, minute * 2 ** Math.min(failures - 1, 10))

export type Event = { kind: NotificationKind; subjectId: string | null; text: string; href: string | null; at: string }

/** times: how many events this line stands for. */
export type Line = Event & { times: number }

/** Events oldest first as lines: what happened to one server's reachability is one line, which says how it ended. */
export function groupEvents(events: readonly Event[]): Line[] {
  const lines = new Map<string, Line>()
  for (const [index, event] of events.entries()) {
    const key = isReach(event) ? `reach ${event.subjectId}` : `event ${index}`
    const times = (lines.get(key)?.times ?? 0) + 1
    lines.delete(key)
    lines.set(key, { ...event, times })
  }
  return [...lines.values()]
}
