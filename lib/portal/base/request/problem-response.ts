/** Answers a route handler's problem as JSON. */
import 'server-only'
import { type Problem, problemKinds } from '@/lib/contract/problem'
import { jsonResponse } from './whole-response'

/** The problem as a failed Outcome, with the HTTP status of its kind; never cached. */
export function problemResponse(why: Problem): Response {
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (why.retryAfterSeconds !== undefined) headers.set('retry-after', String(why.retryAfterSeconds))
  return jsonResponse({ ok: false, problem: why }, { status: problemKinds[why.code].status, headers })
}
