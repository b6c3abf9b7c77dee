/** Answers of the interface: read tolerantly by a client, written exactly by a service. */
import { dropBrokenItems } from '@/lib/contract/broken-items'
import { isJsonObject, parseJson, withoutWarnings } from '@/lib/contract/json'
import type { Answer, OperationDefinition } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import { isProblemCode, type Outcome, type Problem, problem, problemKinds, serviceCodes } from '@/lib/contract/problem'
import { cleanFields, cleanHostKey, cleanSentence, parseRetryAfter, plainSentence } from '@/lib/contract/sentence'

/**
 * What a service sent. retryAfter is the header of that name, if the caller has it. extensions: whether the service announced them.
 */
export type Reply = { status: number; contentType: string | null; body: string; retryAfter?: string | null; extensions?: boolean }

const notUnderstood = problem('upstream_not_understood')
const unreadable = problem('outcome_unknown', {
  sentence: 'The service returned an unreadable response. It is not known yet whether the change was made.',
})
const pageSentence = 'The service answered with a web page. Check the address of the connection.'

/** Undefined unless the body is a JSON object with exactly one possible reading. */
function readBody(body: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(withoutWarnings(body))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A failure that a service reports with one of our own codes. */
function spokenProblem(body: Record<string, unknown>, retryAfterSeconds: number | undefined): Problem | undefined {
  const code = body.code
  if (!isProblemCode(code) || !serviceCodes.has(code)) return undefined
  const fields = cleanFields(body.fields)
  const hostKey = cleanHostKey(body.host_key)
  return {
    code,
    sentence: cleanSentence(body.error) ?? problemKinds[code].sentence,
    ...(fields && { fields }),
    ...(hostKey && { hostKey }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** Gateways in front of a service give up with these while the service may still be working. */
const gatewayGaveUp = (status: number): boolean => status === 502 || status === 504

function readFailure(operation: OperationDefinition, reply: Reply, body: Record<string, unknown> | undefined): Problem {
  const { status } = reply
  const retryAfterSeconds = parseRetryAfter(reply.retryAfter ?? null, Date.now())
  if (status >= 300 && status < 400) return problem('upstream_redirected')
  if (status === 401 || status === 403) return problem('key_rejected')
  if (status === 429) return problem('upstream_rate_limited', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  const spoken = body && spokenProblem(body, retryAfterSeconds)
  if (spoken) return spoken.code === 'unauthorized' ? problem('key_rejected') : spoken
  if (gatewayGaveUp(status) && changesSomething(operation)) return problem('outcome_unknown')
  const sentence = plainSentence(body?.error)
  return problem('upstream_failed', sentence === undefined ? {} : { sentence })
}

/** A body that states neither success nor failure explicitly. */
function isFailure(status: number, body: Record<string, unknown> | undefined): boolean {
  if (status < 200 || status > 299) return true
  return body !== undefined && body.success !== true && (body.success === false || body.error !== undefined)
}

/**
 * Reads the answer to an operation, tolerant of what is known of services that speak the interface.
 * `success` must be the boolean true: no other word, and no status, passes for it. A 2xx that cannot be read leaves the
 * outcome of a change unknown.
 * @returns the law's members in the law's types, or a problem that holds nothing of the raw body but a cleaned sentence
 */
export function decodeAnswer<O extends OperationDefinition>(operation: O, reply: Reply): Outcome<Answer<O>> {
  return judge(operation, reply, readBody(reply.body))
}

/** What a body that was read means. */
export function judge<O extends OperationDefinition>(
  operation: O,
  reply: Reply,
  body: Record<string, unknown> | undefined,
): Outcome<Answer<O>> {
  if (isFailure(reply.status, body)) return { ok: false, problem: readFailure(operation, reply, body) }
  const changes = changesSomething(operation)
  if (body?.success !== true) {
    if (changes) return { ok: false, problem: unreadable }
    const isPage = body === undefined && /html/i.test(reply.contentType ?? '')
    return { ok: false, problem: isPage ? problem('upstream_not_understood', { sentence: pageSentence }) : notUnderstood }
  }
  return readMembers(operation, rearrange(operation, reply, body))
}

function rearrange({ rearrange, rearrangeForeign }: OperationDefinition, { extensions }: Reply, body: Record<string, unknown>) {
  const arranged = rearrange ? rearrange(body) : body
  return rearrangeForeign && !extensions ? rearrangeForeign(arranged) : arranged
}

/** A list of which nothing can be read is not empty: the answer is then not understood. */
function readMembers<O extends OperationDefinition>(operation: O, body: Record<string, unknown>): Outcome<Answer<O>> {
  const parsed = operation.answer.safeParse(body)
  // The schema's own output is what Answer names; the compiler cannot see that through the generic.
  if (parsed.success) return { ok: true, data: parsed.data as Answer<O> }
  const reason = changesSomething(operation) ? unreadable : notUnderstood
  const rest = dropBrokenItems(body, parsed.error.issues)
  if (rest === null) return { ok: false, problem: reason }
  const read = operation.answer.safeParse(rest.body)
  if (!read.success) return { ok: false, problem: reason }
  return { ok: true, data: read.data as Answer<O>, unread: rest.unread }
}

/**
 * Writes an answer: `success` and the members the interface names, nothing else that the data may contain.
 * @throws if the data does not fit the operation, which is a mistake of the handler
 */
export function encodeAnswer<O extends OperationDefinition>(operation: O, data: Answer<O>): string {
  return JSON.stringify({ success: true, ...operation.answer.parse(data) })
}

/** Writes a failure: the status of its kind, and a body with the sentence and the code. */
export function encodeProblem(failure: Problem): { status: number; body: string } {
  const { code, sentence, fields, hostKey } = failure
  const body = { success: false, error: sentence, code, ...(fields && { fields }), ...(hostKey && { host_key: hostKey }) }
  return { status: problemKinds[code].status, body: JSON.stringify(body) }
}
