/** How long a service is not called: per credential when it asks to slow down, per origin after a series of its own failures. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { parseRetryAfter } from '@/lib/contract/sentence'
import { processState } from '@/lib/portal/base/process-state'

/** The part of a connection that identifies whose patience is being tested. */
type Way = { id: string; secretVersion: number; origin: string }

/** The reply, and what it was read as: null for a success. */
type Judged = { status: number; retryAfter: string | null; problem: Problem | null }

/** strikes: how many in a row. until: ms since 1970, `waitMs` after it was set. */
type Hold = { strikes: number; until: number; waitMs: number }

type Holds = { credentials: Map<string, Hold>; origins: Map<string, Hold> }

const holds = processState('holds', (): Holds => ({ credentials: new Map(), origins: new Map() }))

/** This many consecutive failures open the breaker. */
const runLength = 5
const breakerFirstMs = 5_000
const slowDownFirstMs = 2_000
const maxMs = 300_000
// While the breaker lets one read through to test the service, the others wait for its result.
const trialMs = 10_000

const doubled = (firstMs: number, times: number): number => Math.min(maxMs, firstMs * 2 ** Math.min(times, 20))
const credentialOf = ({ id, secretVersion }: Way): string => `${id}.${secretVersion}`
const secondsLeft = (hold: Hold): number => Math.max(1, Math.ceil(msLeft(hold) / 1000))
const holdFor = (strikes: number, waitMs: number): Hold => ({ strikes, until: Date.now() + waitMs, waitMs })

/** If the clock was set back meanwhile, the wait starts again and is no longer than intended. */
function msLeft(hold: Hold): number {
  hold.until = Math.min(hold.until, Date.now() + hold.waitMs)
  return Math.max(0, hold.until - Date.now())
}

/**
 * For reads, which can wait: the reason why this one is not sent now, with the seconds left, or null. Changes that a user requested are
 * always sent. Once a breaker's time is over, one read is let through as a test.
 */
export function holdBack(way: Way): Problem | null {
  const slowed = holds().credentials.get(credentialOf(way))
  if (slowed && msLeft(slowed) > 0) return problem('upstream_rate_limited', { retryAfterSeconds: secondsLeft(slowed) })
  const failing = holds().origins.get(way.origin)
  if (!failing || failing.strikes < runLength) return null
  if (msLeft(failing) > 0) return leftAlone(secondsLeft(failing))
  Object.assign(failing, holdFor(failing.strikes, trialMs))
  return null
}

const leftAlone = (retryAfterSeconds: number): Problem =>
  problem('upstream_failed', {
    sentence: 'The service failed several times in a row. Gatehouse pauses calls to it for a moment.',
    retryAfterSeconds,
  })

/** Milliseconds to wait before calling this way again, 0 for none: for callers that retry automatically. */
export function msToWait(way: Way): number {
  const failing = holds().origins.get(way.origin)
  const slowed = holds().credentials.get(credentialOf(way))
  const broken = failing && failing.strikes >= runLength ? msLeft(failing) : 0
  return Math.max(slowed ? msLeft(slowed) : 0, broken)
}

/** Learns from a reply. Returns the problem to show; one that asks to slow down includes for how long. */
export function noteAnswer(way: Way, judged: Judged): Problem | null {
  noteFailureRun(way.origin, judged)
  if (judged.status !== 429) {
    holds().credentials.delete(credentialOf(way))
    return judged.problem
  }
  const strikes = (holds().credentials.get(credentialOf(way))?.strikes ?? 0) + 1
  const asked = parseRetryAfter(judged.retryAfter, Date.now())
  const hold = holdFor(strikes, asked === undefined ? doubled(slowDownFirstMs, strikes - 1) : asked * 1000)
  holds().credentials.set(credentialOf(way), hold)
  return judged.problem && { ...judged.problem, retryAfterSeconds: secondsLeft(hold) }
}

// A service that reports a problem with one server in our own codes is not failing itself.
const ownFailures = new Set(['upstream_failed', 'internal'])

function noteFailureRun(origin: string, { status, problem: why }: Judged): void {
  if (status < 500 || !why || !ownFailures.has(why.code)) {
    holds().origins.delete(origin)
    return
  }
  const strikes = (holds().origins.get(origin)?.strikes ?? 0) + 1
  holds().origins.set(origin, holdFor(strikes, strikes < runLength ? 0 : doubled(breakerFirstMs, strikes - runLength)))
}
