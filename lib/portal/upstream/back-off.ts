/** Pauses calls to a service: per credential if the service asks to slow down, per origin after a series of its failures. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { parseRetryAfter } from '@/lib/contract/sentence'
import { processState } from '@/lib/portal/base/process-state'

/** The members of a connection that identify what to pause. */
type Way = { id: string; secretVersion: number; origin: string }

/** The reply and its problem; null for a success. */
type Judged = { status: number; retryAfter: string | null; problem: Problem | null }

/** strikes: the number in a row. until: ms since 1970, `waitMs` after it was set. */
type Hold = { strikes: number; until: number; waitMs: number }

/** problem: what the service said when it asked to slow down. */
type Slowed = Hold & { problem: Problem }

type Holds = { credentials: Map<string, Slowed>; origins: Map<string, Hold> }

const holds = processState('holds', (): Holds => ({ credentials: new Map(), origins: new Map() }))

/** This many consecutive failures open the breaker. */
const runLength = 5
const breakerFirstMs = 5_000
const slowDownFirstMs = 2_000
const maxMs = 300_000
// While the breaker lets one read through as a test, other reads wait for its result.
const trialMs = 10_000

const doubled = (firstMs: number, times: number): number => Math.min(maxMs, firstMs * 2 ** Math.min(times, 20))
const credentialOf = ({ id, secretVersion }: Way): string => `${id}.${secretVersion}`
const secondsLeft = (hold: Hold): number => Math.max(1, Math.ceil(msLeft(hold) / 1000))
const holdFor = (strikes: number, waitMs: number): Hold => ({ strikes, until: Date.now() + waitMs, waitMs })

/** If the clock was set back meanwhile, the wait starts again, no longer than intended. */
function msLeft(hold: Hold): number {
  hold.until = Math.min(hold.until, Date.now() + hold.waitMs)
  return Math.max(0, hold.until - Date.now())
}

/**
 * For reads, which can wait: why this one is not sent now, with the seconds left, or null. Changes requested by a user are always
 * sent. When a breaker's time is over, lets one read through as a test.
 */
export function holdBack(way: Way): Problem | null {
  const slowed = holds().credentials.get(credentialOf(way))
  if (slowed && msLeft(slowed) > 0) return { ...slowed.problem, retryAfterSeconds: secondsLeft(slowed) }
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

/** Milliseconds to wait before the next call, or 0: for callers that retry automatically. */
export function msToWait(way: Way): number {
  const failing = holds().origins.get(way.origin)
  const slowed = holds().credentials.get(credentialOf(way))
  const broken = failing && failing.strikes >= runLength ? msLeft(failing) : 0
  return Math.max(slowed ? msLeft(slowed) : 0, broken)
}

/** Updates the pauses after a reply. Returns the problem to show; if the service asks to slow down, it says for how long. */
export function noteAnswer(way: Way, judged: Judged): Problem | null {
  noteFailureRun(way.origin, judged)
  const { status, problem: why } = judged
  const asked = parseRetryAfter(judged.retryAfter, Date.now())
  if (!why || !(status === 429 || (status === 503 && asked !== undefined))) {
    holds().credentials.delete(credentialOf(way))
    return why
  }
  const strikes = (holds().credentials.get(credentialOf(way))?.strikes ?? 0) + 1
  const hold = holdFor(strikes, asked === undefined ? doubled(slowDownFirstMs, strikes - 1) : asked * 1000)
  holds().credentials.set(credentialOf(way), { ...hold, problem: why })
  return { ...why, retryAfterSeconds: secondsLeft(hold) }
}

// A service that reports one server's problem with a code of the interface is not failing itself.
const ownFailures = new Set(['upstream_failed', 'internal'])

function noteFailureRun(origin: string, { status, problem: why }: Judged): void {
  if (status < 500 || !why || !ownFailures.has(why.code)) {
    holds().origins.delete(origin)
    return
  }
  const strikes = (holds().origins.get(origin)?.strikes ?? 0) + 1
  holds().origins.set(origin, holdFor(strikes, strikes < runLength ? 0 : doubled(breakerFirstMs, strikes - runLength)))
}
