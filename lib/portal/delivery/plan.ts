/** Which notifications go into a channel's next message, and when a failed message is tried again. Pure. */
import 'server-only'
import type { NotificationKind } from '@/prisma/generated/portal/client'
import { isQuiet, type QuietHours } from './quiet'

/** subjectId: what it is about. */
export type Pending = { id: string; kind: NotificationKind; subjectId: string | null; at: Date }

/** A message about one server's reachability that was made earlier. */
export type Earlier = { subjectId: string | null; at: Date }

const minute = 60_000
const hour = 60 * minute

/** Events within this time of the first are one message. */
const gatherMs = minute

/** The most events in one message; more are in the next. */
const maxItems = 50

/** How many messages about one server's reachability there are at most within a time; what happens meanwhile waits, and is then one line. */
const calm = [
  { messages: 2, withinMs: hour },
  { messages: 4, withinMs: 6 * hour },
] as const

/** How far back earlier messages count. */
export const calmMs = Math.max(...calm.map(({ withinMs }) => withinMs))

const reachKinds: ReadonlySet<NotificationKind> = new Set(['server_unreachable', 'server_reachable'])

/** Whether it says that a server is unreachable, or reachable again. */
const isReach = ({ kind }: Pick<Pending, 'kind'>): boolean => reachKinds.has(kind)

/** The ids of the notifications for a message now, oldest first; none if it is too early, or the hours are quiet. */
export function planMessage(pending: readonly Pending[], earlier: readonly Earlier[], quiet: QuietHours, now: Date): string[] {
  if (isQuiet(quiet, now)) return []
  const ready = pending.filter((each) => !isReach(each) || !isHeld(each, earlier, now))
  if (!ready.some(({ at }) => now.getTime() - at.getTime() >= gatherMs)) return []
  const oldestFirst = [...ready].sort((one, other) => one.at.getTime() - other.at.getTime() || one.id.localeCompare(other.id))
  return oldestFirst.slice(0, maxItems).map(({ id }) => id)
}

function isHeld({ subjectId }: Pending, earlier: readonly Earlier[], now: Date): boolean {
  const about = earlier.filter((each) => each.subjectId === subjectId).map(({ at }) => now.getTime() - at.getTime())
  return calm.some(({ messages, withinMs }) => about.filter((ago) => ago < withinMs).length >= messages)
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
