/** The stored form of one check of a server, and its derivation from a summary. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'
import type { Outcome } from '@/lib/contract/problem'
import { placeOfFailure } from '@/lib/contract/reachability'
import { readSize } from '@/lib/contract/size'

/** Bytes; null if the service did not report them in a readable form. */
export type Measures = { diskUsed: number | null; diskTotal: number | null; memUsed: number | null; memTotal: number | null }

/** at: minutes since 1970. reachable: whether the service could reach the server. updates: how many wait. load: the average of 15 minutes. Null if unknown. */
export type Sample = Measures & { serverId: string; at: number; reachable: boolean; updates: number | null; load: number | null }

export const minuteOf = (ms: number): number => Math.floor(ms / 60_000)

type SummaryAnswer = Answer<typeof servers.summary>

const unmeasured: Measures = { diskUsed: null, diskTotal: null, memUsed: null, memTotal: null }

/** Null if the outcome says nothing about the server: the service was unreachable, refused the key, or failed itself. */
export function sampleOf(serverId: string, outcome: Outcome<SummaryAnswer>, now: number): Sample | null {
  const at = minuteOf(now)
  if (!outcome.ok)
    return placeOfFailure(outcome.problem) === 'server'
      ? { serverId, at, reachable: false, updates: null, load: null, ...unmeasured }
      : null
  const item = outcome.data.item[0]
  return { serverId, at, reachable: true, updates: countOf(item.updates), load: loadOf(item.load), ...measure(item) }
}

const countOf = (text: string): number | null => (/^\d{1,6}$/.test(text) ? Number(text) : null)

const loadOf = (text = ''): number | null => (/^\d{1,4}(\.\d{1,4})?$/.test(text) ? Number(text) : null)

function measure(item: SummaryAnswer['item'][number]): Measures {
  const disk = usage(item.disk_space, item.disk_free, item.disk_total)
  const memory = usage('', item.mem_free, item.mem_total)
  return { diskUsed: disk.used, diskTotal: disk.total, memUsed: memory.used, memTotal: memory.total }
}

/** The reported usage, or total minus free; a percentage is converted if the total is known. */
function usage(usedText: string, freeText: string, totalText: string): { used: number | null; total: number | null } {
  const [used, free, total] = [readSize(usedText), readSize(freeText), readSize(totalText)]
  const all = total?.bytes ?? (used?.bytes != null && free?.bytes != null ? used.bytes + free.bytes : null)
  const taken = absolute(used, all) ?? rest(all, absolute(free, all))
  const sensible = taken !== null && taken >= 0 && (all === null || taken <= all)
  return { used: sensible ? taken : null, total: all }
}

const absolute = (size: ReturnType<typeof readSize>, all: number | null): number | null =>
  size?.bytes ?? (size && size.share !== null && all !== null ? size.share * all : null)

const rest = (all: number | null, free: number | null): number | null => (all === null || free === null ? null : all - free)
