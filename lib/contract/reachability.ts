/** Whether a server is reachable according to its newest check. Pure functions, for the portal and the page. */
import type { Problem, ProblemCode } from './problem'

/** What a server may answer instead of letting Gatehouse in; other failures are that it does not answer. */
const causes = ['login_failed', 'host_key_changed'] as const
export type UnreachableCause = (typeof causes)[number]

export const causeOf = (code: string | null): UnreachableCause | undefined => causes.find((cause) => cause === code)

/**
 * unreachable: the newest check failed at the server itself; `why` is a sentence, `cause` is absent if it does not answer. unknown: it failed before reaching the server.
 * rebooting: the service reported a reboot, which is not a failure.
 * since, seenAt: ISO. seenAt is the last time the server was known to be well; null if never.
 */
export type Reachability =
  | { kind: 'reachable' }
  | { kind: 'unreachable'; since: string; why: string; seenAt: string | null; cause?: UnreachableCause }
  | { kind: 'unknown'; seenAt: string | null }
  | { kind: 'rebooting'; seenAt: string | null }

export const reachable: Reachability = { kind: 'reachable' }

/** A working service reports these about a server that does not work. */
const serverCodes = new Set<ProblemCode>(['unreachable', 'too_slow', 'login_failed', 'host_key_changed'])

const betweenCodes = new Set<ProblemCode>(['address_refused', 'internal', 'no_connection', 'signed_out', 'unauthorized'])

/**
 * Where a check failed. between: at the session, the browser's network, the portal, the API key or the service, so it says
 * nothing about the server. elsewhere: the service answered, and the request was the problem (not installed, busy).
 */
export function placeOfFailure({ code }: Pick<Problem, 'code'>): 'server' | 'between' | 'elsewhere' {
  if (serverCodes.has(code)) return 'server'
  return betweenCodes.has(code) || code.startsWith('upstream_') || code.startsWith('key_') ? 'between' : 'elsewhere'
}

/**
 * The one rule for all. `known`: the result of an earlier check. `problem`: why the newest one failed, null if it succeeded.
 * `checkedAt`: the time of the newest check. `seenAt`: the time of the check that gave `known`. Both ISO.
 */
export function resolveReachability(
  known: Reachability,
  problem: Pick<Problem, 'code' | 'sentence'> | null,
  { checkedAt, seenAt }: { checkedAt: string; seenAt: string | null },
): Reachability {
  const place = problem && placeOfFailure(problem)
  const lastSeen = known.kind === 'reachable' ? seenAt : known.seenAt
  if (problem?.code === 'rebooting') return { kind: 'rebooting', seenAt: lastSeen }
  if (!problem || place === 'elsewhere') return known
  if (place === 'between') return { kind: 'unknown', seenAt: lastSeen }
  const since = known.kind === 'unreachable' ? known.since : checkedAt
  const cause = causeOf(problem.code)
  return { kind: 'unreachable', since, why: problem.sentence, seenAt: lastSeen, ...(cause && { cause }) }
}

/** The state that the service reports, the running install, and the reachability. */
export type Standing = { state: string; runningJobId: string | null; reach: Reachability }

const serviceStates = new Set(['new', 'installing', 'ready', 'failed'])

export type ServerState = 'unknown' | 'installing' | 'rebooting' | 'unreachable' | 'new' | 'ready' | 'failed' | 'listed'

/** The one state that chips, filters and counts use. listed: the service does not report installs. */
export function serverStateOf({ state, runningJobId, reach }: Standing): ServerState {
  if (reach.kind === 'unknown') return 'unknown'
  if (runningJobId) return 'installing'
  const told = serviceStates.has(state) ? (state as ServerState) : 'listed'
  return reach.kind !== 'reachable' && (told === 'ready' || told === 'listed') ? reach.kind : told
}
