/** Answers of the interface: decoded tolerantly by a client, encoded strictly by a service. */
import { dropBrokenItems } from '@/lib/contract/broken-items'
import { isJsonObject, parseJson, withoutWarnings } from '@/lib/contract/json'
import type { Answer, OperationDefinition } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import { isProblemCode, type Outcome, type Problem, type ProblemCode, problem, problemKinds, serviceCodes } from '@/lib/contract/problem'
import {
  cleanFields,
  cleanHostKey,
  cleanSentence,
  findReason,
  formatWait,
  parseRetryAfter,
  withoutTexts,
  withReason,
} from '@/lib/contract/sentence'

/**
 * A service's response. retryAfter is the header of that name, if the caller has it. extensions: whether the service announced them.
 * confidential: texts that were sent in confidence, which a failure may repeat.
 */
export type Reply = {
  status: number
  contentType: string | null
  body: string
  retryAfter?: string | null
  extensions?: boolean
  confidential?: readonly string[]
}

const notUnderstood = problem('upstream_not_understood')
const unreadable = problem('outcome_unknown', {
  sentence: 'The service returned an unreadable response. It is not known yet whether the change was made.',
})
const pageSentence = 'The service answered with a web page. Check the address of the connection.'

/** Undefined unless the body is a JSON object that can be read in only one way. */
function readBody(body: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(withoutWarnings(body))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a failure says to people. */
function wordsOf({ error, message, errors, detail, fields }: Record<string, unknown>, confidential: readonly string[]) {
  const words = { error, message, errors, detail, fields }
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, withoutTexts(value, confidential)]))
}

/** A failure that a service reports with a code of the interface. said: its words. */
function spokenProblem(
  body: Record<string, unknown>,
  said: Record<string, unknown>,
  retryAfterSeconds: number | undefined,
): Problem | undefined {
  const code = body.code
  if (!isProblemCode(code) || !serviceCodes.has(code)) return undefined
  const fields = cleanFields(said.fields)
  const hostKey = cleanHostKey(body.host_key)
  return {
    code,
    sentence: cleanSentence(said.error) ?? findReason(said) ?? problemKinds[code].sentence,
    ...(fields && { fields }),
    ...(hostKey && { hostKey }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** A gateway in front of a service answers with these while the service may still be working. */
const gatewayGaveUp = new Set([502, 504])

/** Of the errors of a server these say that nothing was done. */
const saysNotDone = new Set([501, 503, 505])

/** Programs answer with these after the work: to the page that shows the result. The other redirects come before it. */
const redirectsAfterwards = new Set([302, 303])

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : ''

const noes = new Set(['false', 'no', '0'])

/** Unlike a yes, a no counts in any form: taking it for nothing would hide the reason beside it. */
const deniesSuccess = ({ success }: Record<string, unknown>): boolean => success === false || noes.has(wordOf(success))

/** What `status` is in a refusal. In answers to slow work `failed` is the state of the work, see stream.ts. */
const refusals = { slow: new Set(['error', 'fail', 'failure']), quick: new Set(['error', 'fail', 'failure', 'failed']) } as const

const wordMembers = new Set(['error', 'message', 'errors', 'detail', 'fields'])

/** Whether nothing but words is in it: a list or an object may have a state of its own. */
const bringsNothing = (body: Record<string, unknown>): boolean =>
  Object.entries(body).every(
    ([name, value]) => wordMembers.has(name) || typeof value !== 'object' || value === null || Object.keys(value).length === 0,
  )

/** Whether a change may have been made despite this failure. A service that says no to `success` itself says that it was not. */
const leavesOpen = (status: number, body: Record<string, unknown> | undefined): boolean =>
  redirectsAfterwards.has(status) ||
  gatewayGaveUp.has(status) ||
  (status >= 500 && !saysNotDone.has(status) && !(body !== undefined && deniesSuccess(body)))

/** A problem with the service's own words after ours. */
const quoting = (code: ProblemCode, sentence: string, reason: string | undefined, more: Partial<Problem> = {}): Problem =>
  problem(code, { sentence: withReason(sentence, reason), ...more })

const notKnownYet = 'It is not known yet whether the change was made.'

/** The service wants to be left alone for a while, which is why it did nothing. */
function readWait(status: number, seconds: number | undefined, reason: string | undefined): Problem {
  const code = status === 429 ? 'upstream_rate_limited' : 'upstream_failed'
  if (seconds !== undefined)
    return quoting(code, `The service asks to wait ${formatWait(seconds)}.`, reason, { retryAfterSeconds: seconds })
  return reason === undefined ? problem(code) : quoting(code, 'The service is rate-limiting requests.', reason)
}

function readOpen(status: number, reason: string | undefined): Problem {
  if (gatewayGaveUp.has(status)) return problem('outcome_unknown')
  return quoting('outcome_unknown', `${notKnownYet} The service ${status < 400 ? 'redirected to another address' : 'failed'}.`, reason)
}

/** A key that may not do one thing may do others: only an operation that every key may do shows that the key itself is refused. */
const readRefusal = ({ provesKey }: OperationDefinition, reason: string | undefined): Problem =>
  provesKey ? problem('key_rejected') : quoting('operation_refused', problemKinds.operation_refused.sentence, reason)

function readFailure(operation: OperationDefinition, reply: Reply, body: Record<string, unknown> | undefined): Problem {
  const { status } = reply
  const seconds = parseRetryAfter(reply.retryAfter ?? null, Date.now())
  const said = wordsOf(body ?? {}, reply.confidential ?? [])
  const reason = findReason(said)
  const spoken = body && spokenProblem(body, said, seconds)
  const isRedirect = status >= 300 && status < 400
  if (status === 401 || status === 403 || (spoken?.code === 'unauthorized' && !isRedirect)) return readRefusal(operation, reason)
  if (status === 429 || (status === 503 && !spoken && seconds !== undefined)) return readWait(status, seconds, reason)
  if (spoken && !isRedirect) return spoken
  if (changesSomething(operation) && leavesOpen(status, body)) return readOpen(status, reason)
  return isRedirect ? problem('upstream_redirected') : quoting('upstream_failed', problemKinds.upstream_failed.sentence, reason)
}

/** Whether the answer says that nothing came of the call, by its status or in one of the ways in which services say so. */
function isFailure({ pace }: OperationDefinition, status: number, body: Record<string, unknown> | undefined): boolean {
  if (status < 200 || status > 299) return true
  if (body === undefined || body.success === true) return false
  return deniesSuccess(body) || body.error !== undefined || (refusals[pace].has(wordOf(body.status)) && bringsNothing(body))
}

/**
 * Decodes the answer to an operation, with tolerance for known deviations of services that speak the interface.
 * `success` must be the boolean true; no other value and no status replaces it. After a 2xx that cannot be read, the
 * outcome of a change is unknown.
 * @returns the members in the types of the spec, or a problem whose only text from the body is a cleaned sentence
 */
export function decodeAnswer<O extends OperationDefinition>(operation: O, reply: Reply): Outcome<Answer<O>> {
  return judge(operation, reply, readBody(reply.body))
}

/** The outcome that a parsed body stands for. */
export function judge<O extends OperationDefinition>(
  operation: O,
  reply: Reply,
  body: Record<string, unknown> | undefined,
): Outcome<Answer<O>> {
  if (isFailure(operation, reply.status, body)) return { ok: false, problem: readFailure(operation, reply, body) }
  const changes = changesSomething(operation)
  if (body?.success !== true) {
    if (changes) return { ok: false, problem: unreadable }
    const isPage = body === undefined && /html/i.test(reply.contentType ?? '')
    return { ok: false, problem: isPage ? problem('upstream_not_understood', { sentence: pageSentence }) : notUnderstood }
  }
  const plain = readMembers(operation, rearrange(operation, reply, body))
  return plain.ok ? plain : (readWrapped(operation, reply, body) ?? plain)
}

/**
 * Some services put the members of an answer into one more object, of any name. Null unless exactly one object fits: members beside it, or
 * a second one, would leave open which of them count.
 */
function readWrapped<O extends OperationDefinition>(operation: O, reply: Reply, body: Record<string, unknown>): Outcome<Answer<O>> | null {
  if (Object.keys(operation.answer.shape).some((name) => Object.hasOwn(body, name))) return null
  const fitting = Object.values(body)
    .filter(isJsonObject)
    .filter(({ success }) => success !== false)
    .map((members) => readMembers(operation, rearrange(operation, reply, members)))
    .filter(({ ok }) => ok)
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function rearrange({ rearrange, rearrangeForeign }: OperationDefinition, { extensions }: Reply, body: Record<string, unknown>) {
  const arranged = rearrange ? rearrange(body) : body
  return rearrangeForeign && !extensions ? rearrangeForeign(arranged) : arranged
}

/** If no item of a list can be read, the list is not empty but the answer is not understood. */
function readMembers<O extends OperationDefinition>(operation: O, body: Record<string, unknown>): Outcome<Answer<O>> {
  const parsed = operation.answer.safeParse(body)
  // The schema's output is the type Answer, which the compiler cannot infer through the generic.
  if (parsed.success) return { ok: true, data: parsed.data as Answer<O> }
  const reason = changesSomething(operation) ? unreadable : notUnderstood
  const rest = dropBrokenItems(body, parsed.error.issues)
  if (rest === null) return { ok: false, problem: reason }
  const read = operation.answer.safeParse(rest.body)
  if (!read.success) return { ok: false, problem: reason }
  return { ok: true, data: read.data as Answer<O>, unreadable: rest.unreadable }
}

/**
 * Encodes an answer: `success` and the members that the interface names, without any others in the data.
 * @throws if the data does not fit the operation, which is a bug in the handler
 */
export function encodeAnswer<O extends OperationDefinition>(operation: O, data: Answer<O>): string {
  return JSON.stringify({ success: true, ...operation.answer.parse(data) })
}

/** Encodes a failure: the status of its kind, and a body with the sentence and the code. */
export function encodeProblem(failure: Problem): { status: number; body: string } {
  const { code, sentence, fields, hostKey } = failure
  const body = { success: false, error: sentence, code, ...(fields && { fields }), ...(hostKey && { host_key: hostKey }) }
  return { status: problemKinds[code].status, body: JSON.stringify(body) }
}
