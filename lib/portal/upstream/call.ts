/** One call through a connection, for the spine. Calls without a user go through unattended.ts. */
import 'server-only'
import { decodeLargeAnswer } from '@/lib/contract/large-answer'
import type { Answer, Operation } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import { createSlices } from '@/lib/portal/base/turns'
import type { Connection } from '@/prisma/generated/portal/client'
import { holdBack, noteAnswer } from './back-off'
import type { UpstreamReply } from './egress'
import { noteReply } from './note-reply'
import type { CallPace } from './watch'
import { callStored } from './with-key'

/**
 * Calls an upstream once through a connection and reads the answer. The caller has checked permissions. Does not send a read while the
 * service has asked to slow down or keeps failing. Never sends anything twice.
 */
export async function callConnection<O extends Operation>(
  connection: Connection,
  operation: O,
  request: EncodedRequest,
): Promise<Outcome<Answer<O>>> {
  const held = changesSomething(operation) ? null : holdBack(connection)
  if (held) return { ok: false, problem: held }
  const reply = await callStored(connection, request, { pace: paceOf(operation) })
  await noteReply(connection, reply)
  const outcome = await readReply(operation, reply)
  if (reply.kind !== 'answer') return outcome
  const why = noteAnswer(connection, { ...reply, problem: outcome.ok ? null : outcome.problem })
  return why ? { ok: false, problem: why } : outcome
}

export const paceOf = (operation: Operation): CallPace =>
  operation.pace === 'slow' ? 'slow' : changesSomething(operation) ? 'change' : 'read'

/** The outcome of a complete reply. */
export async function readReply<O extends Operation>(operation: O, reply: UpstreamReply): Promise<Outcome<Answer<O>>> {
  if (reply.kind === 'failed') return { ok: false, problem: nameUncertainty(operation, reply.problem, reply.sent) }
  if (reply.kind === 'stream') return { ok: false, problem: problem('upstream_not_understood') }
  return decodeLargeAnswer(operation, reply, createSlices())
}

const answerLost = new Set(['upstream_unreachable', 'upstream_too_slow', 'upstream_too_large', 'upstream_not_understood'])

function nameUncertainty(operation: Operation, why: Problem, sent: boolean): Problem {
  return sent && changesSomething(operation) && answerLost.has(why.code) ? problem('outcome_unknown') : why
}
