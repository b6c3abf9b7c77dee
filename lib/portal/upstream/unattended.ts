/** The only module for calls without a user: lists of servers, the sampler, tests of API keys, streams of admitted jobs. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import type { Connection } from '@/prisma/generated/portal/client'
import { paceOf, readReply, takeReply } from './call'
import type { CallOptions, UpstreamReply } from './egress'
import { callWithLists } from './empty-lists'
import { noteReply } from './note-reply'
import { callWithCredential } from './with-key'

// Nothing here checks permissions, so only those who do that may import it: dependency-cruiser enforces that.
export { callConnection } from './call'
export { secretsOf } from './secrets-of'

/** The result of trying a connection. status: the service's, null if it did not answer. sent: the request may have arrived. */
export type Tried<O extends Operation> = { outcome: Outcome<Answer<O>>; status: number | null; sent: boolean; extensions: boolean }

/** Calls through a connection, or with an API key, that is not stored yet, so the reply is not noted on a row. */
export async function tryConnection<O extends Operation>(connection: Connection, operation: O, request: EncodedRequest): Promise<Tried<O>> {
  const reply = await callWithCredential(connection, request, { pace: paceOf(operation) })
  const outcome = await readReply(operation, reply)
  if (reply.kind === 'failed') return { outcome, status: null, sent: reply.sent, extensions: false }
  return { outcome, status: reply.status, sent: true, extensions: reply.extensions }
}

/** The stream of a job, which the caller reads; or the outcome of a call that was not answered by one. extensions: undefined without an answer. */
export type Opened<O extends Operation> =
  | Extract<UpstreamReply, { kind: 'stream' }>
  | { kind: 'outcome'; outcome: Outcome<Answer<O>>; extensions: boolean | undefined }

/** Opens or resumes the stream of a job, and notes the reply on the connection's row. */
export async function openStream<O extends Operation>(
  connection: Connection,
  operation: O,
  request: EncodedRequest,
  options: CallOptions,
): Promise<Opened<O>> {
  const reply = await callWithLists(connection, operation, request, options)
  if (reply.kind !== 'stream') {
    const extensions = reply.kind === 'answer' ? reply.extensions : undefined
    return { kind: 'outcome', outcome: await takeReply(connection, operation, request, reply), extensions }
  }
  await noteReply(connection, reply, null)
  return reply
}
