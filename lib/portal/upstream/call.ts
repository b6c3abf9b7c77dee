/** One call through a connection, for the spine. Calls without a user go through unattended.ts. */
import 'server-only'
import { decodeLargeAnswer } from '@/lib/contract/large-answer'
import type { Answer, Operation } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import { type Outcome, type Problem, type ProblemCode, problem, problemKinds } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import { createSlices } from '@/lib/portal/base/turns'
import type { Connection } from '@/prisma/generated/portal/client'
import { holdBack, noteAnswer } from './back-off'
import type { UpstreamReply } from './egress'
import { callWithLists } from './empty-lists'
import { isKeyRefused } from './key-check'
import { noteReply } from './note-reply'
import { secretsOf } from './secrets-of'
import type { CallPace } from './watch'

/**
 * Calls an upstream once through a connection and reads the answer. The caller has checked permissions. Does not send a read while the
 * service has asked to slow down or keeps failing. Never sends anything twice, but for a request that did nothing (see empty-lists.ts).
 */
export async function callConnection<O extends Operation>(
  connection: Connection,
  operation: O,
  request: EncodedRequest,
): Promise<Outcome<Answer<O>>> {
  const held = changesSomething(operation) ? null : holdBack(connection)
  if (held) return { ok: false, problem: held }
  const reply = await callWithLists(connection, operation, request, { pace: paceOf(operation) })
  return takeReply(connection, operation, request, reply)
}

/** The outcome of a complete reply, noted on the connection's row and for the calls that follow. */
export async function takeReply<O extends Operation>(
  connection: Connection,
  operation: O,
  request: EncodedRequest,
  reply: UpstreamReply,
): Promise<Outcome<Answer<O>>> {
  const read = await readReply(operation, reply, secretsOf(operation, request))
  const refused = !read.ok && read.problem.code === 'operation_refused' && (await isKeyRefused(connection, callConnection))
  const outcome: typeof read = refused ? { ok: false, problem: problem('key_rejected') } : read
  const failure = outcome.ok ? null : outcome.problem
  await noteReply(connection, reply, failure)
  const why = reply.kind === 'answer' ? noteAnswer(connection, { ...reply, problem: failure }) : null
  return why ? { ok: false, problem: why } : outcome
}

export const paceOf = (operation: Operation): CallPace =>
  operation.pace === 'slow' || operation.patient ? 'slow' : changesSomething(operation) ? 'change' : 'read'

/** The outcome of a complete reply. confidential: texts that its reason must not repeat. */
export async function readReply<O extends Operation>(
  operation: O,
  reply: UpstreamReply,
  confidential: readonly string[] = [],
): Promise<Outcome<Answer<O>>> {
  if (reply.kind === 'failed') return { ok: false, problem: nameUncertainty(operation, reply.problem, reply.sent) }
  if (reply.kind === 'stream') return { ok: false, problem: problem('upstream_not_understood') }
  return decodeLargeAnswer(operation, { ...reply, confidential }, createSlices())
}

/** How the answer to a request that was sent got lost. */
const lostAnswers: ReadonlyMap<ProblemCode, string> = new Map([
  ['upstream_unreachable', 'The connection broke before the response arrived.'],
  ['upstream_too_slow', problemKinds.upstream_too_slow.sentence],
  ['upstream_too_large', problemKinds.upstream_too_large.sentence],
  ['upstream_not_understood', problemKinds.upstream_not_understood.sentence],
])

function nameUncertainty(operation: Operation, why: Problem, sent: boolean): Problem {
  const cause = sent && changesSomething(operation) ? lostAnswers.get(why.code) : undefined
  return cause === undefined ? why : problem('outcome_unknown', { sentence: `${cause} ${problemKinds.outcome_unknown.sentence}` })
}
