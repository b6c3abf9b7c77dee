/** What services began at night, as checks of servers saw it. Kept until the jobs, which lie above, take it. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** run: the service's id of it. connectionId: the connection that saw it. */
export type NightRun = { serverId: string; connectionId: string; run: string }

const seen = processState('night runs', (): Map<string, NightRun> => new Map())

/** The newest of a server replaces an earlier one. */
export function noteNightRun(found: NightRun): void {
  seen().set(found.serverId, found)
}

/** All that were noted since the last call. */
export function takeNightRuns(): NightRun[] {
  const runs = [...seen().values()]
  seen().clear()
  return runs
}
