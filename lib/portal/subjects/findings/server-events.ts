/** What servers did by their own timers, as checks of them saw it. Kept until the jobs, which lie above, take it. */
import 'server-only'
import type { ServerEventKind } from '@/lib/contract/members'
import { processState } from '@/lib/portal/base/process-state'

/** id: the service's. site: the domain of the site it is about; empty for none. */
export type ServerEvent = { id: string; kind: ServerEventKind; at: Date; outcome: 'done' | 'failed'; detail: string; site: string }

/** connectionId: the connection that saw them. */
export type SeenEvents = { serverId: string; connectionId: string; events: readonly ServerEvent[] }

const seen = processState('server events', (): Map<string, SeenEvents> => new Map())

/** A service names those of some days each time, so the newest answer replaces an earlier one. */
export function noteServerEvents(found: SeenEvents): void {
  seen().set(found.serverId, found)
}

/** All that were noted since the last call. */
export function takeServerEvents(): SeenEvents[] {
  const all = [...seen().values()]
  seen().clear()
  return all
}
