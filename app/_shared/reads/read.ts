import { type Cut, isProblemCode, type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { firstIdle } from '../../_ui/idle'
import { portalFailed, portalUnreachable } from '../forms/portal-problems'
import { expectAnswer, probePortal, reportBuild, reportLink } from '../frame/portal-link'
import { reportCheck } from '../servers/server-checks'
import type { ReadAddress } from './read-address'

/** False if the service, such as one of an earlier version, answered that it has no such operation. */
export const isOffered = (read: Outcome<unknown>): boolean =>
  read.ok || !(read.problem.code === 'not_found' || read.problem.code === 'not_built')

/**
 * An answer and when it came (ms since 1970), so that old data can show its age. cut: one of its lists was truncated. unreadable: how many
 * of its items could not be read.
 */
export type Read<T> = { data: T; readAt: number; cut?: Cut | null; unreadable?: number }

/** Why a read returned nothing. */
export class ReadFailure extends Error {
  readonly problem: Problem
  /** Not to be repeated before this time, ms since 1970; null if none was given. */
  readonly retryAt: number | null
  constructor(reason: Problem) {
    super(reason.code)
    this.problem = reason
    this.retryAt = reason.retryAfterSeconds === undefined ? null : Date.now() + reason.retryAfterSeconds * 1000
  }
}

// A slow service may delay an answer; if it takes this long, the portal itself is checked.
const suspiciousMs = 8000

/** Reads one of the portal's addresses. Throws ReadFailure. The shape is guaranteed by the portal and not checked again. */
export async function read<T>(url: ReadAddress<T>): Promise<Read<T>> {
  await firstIdle()
  try {
    const answer = await ask<T>(url)
    reportCheck(url, null)
    return answer
  } catch (error) {
    if (error instanceof ReadFailure) reportCheck(url, error.problem)
    throw error
  }
}

async function ask<T>(url: ReadAddress<T>): Promise<Read<T>> {
  const report = expectAnswer()
  const suspicion = setTimeout(() => void probePortal(), suspiciousMs)
  const response = await fetch(url, { cache: 'no-store', headers: { accept: 'application/json' } })
    .catch(lost)
    .finally(() => clearTimeout(suspicion))
  const body: unknown = await response.json().catch(() => null)
  const refusal = findProblem(body)
  // A gateway in front of the portal answers while the portal is down.
  if (!refusal && gatewayFailures.has(response.status)) return lost()
  reportBuild(response.headers.get('gatehouse-build'))
  report(response.status === 401 ? 'signed-out' : 'up')
  if (refusal || !response.ok) throw new ReadFailure(refusal ?? portalFailed)
  return { data: unwrap(body) as T, readAt: Date.now(), cut: findCut(body), unreadable: findUnreadable(body) }
}

const gatewayFailures = new Set([502, 503, 504])

function lost(): never {
  reportLink('lost')
  throw new ReadFailure(portalUnreachable)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Outcomes come as {ok, data}; lists as they are. */
function unwrap(body: unknown): unknown {
  return isRecord(body) && body.ok === true && 'data' in body ? body.data : body
}

function findCut(body: unknown): Cut | null {
  const cut = isRecord(body) && isRecord(body.cut) ? body.cut : {}
  return typeof cut.shown === 'number' && typeof cut.total === 'number' ? { shown: cut.shown, total: cut.total } : null
}

const findUnreadable = (body: unknown): number => (isRecord(body) && typeof body.unreadable === 'number' ? body.unreadable : 0)

function findProblem(body: unknown): Problem | null {
  if (!isRecord(body)) return null
  const candidate = isRecord(body.problem) ? body.problem : body
  if (!isProblemCode(candidate.code)) return null
  const { code, sentence, retryAfterSeconds } = candidate
  return problem(code, {
    ...(typeof sentence === 'string' && { sentence }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  })
}
