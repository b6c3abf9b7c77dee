/** Empty lists in a request: sent as `tables[]=`, and left out for services that refuse that. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { EncodedRequest } from '@/lib/contract/request'
import { processState } from '@/lib/portal/base/process-state'
import type { Connection } from '@/prisma/generated/portal/client'
import type { CallOptions, UpstreamReply } from './egress'
import { callStored } from './with-key'

/** Connections whose service refused an empty list and took the request without it. A restart of the portal forgets them. */
const refusing = processState('empty lists refused', () => new Set<string>())

/**
 * Calls through a connection. The only request that is sent twice: after a 422 that names an empty list, once more without it. Such an
 * answer proves that nothing was done.
 */
export async function callWithLists(
  connection: Connection,
  operation: Operation,
  request: EncodedRequest,
  options: CallOptions,
): Promise<UpstreamReply> {
  const { names, without } = splitEmptyLists(operation, request)
  if (names.length === 0) return callStored(connection, request, options)
  if (refusing().has(connection.id)) return callStored(connection, without, options)
  const reply = await callStored(connection, request, options)
  if (!refuses(reply, names)) return reply
  const second = await callStored(connection, without, options)
  if (second.kind === 'stream' || (second.kind === 'answer' && second.status < 300)) refusing().add(connection.id)
  return second
}

/**
 * names: of the lists that have no items and mean nothing in this request. without: the request that lacks them. Any other list stays, because
 * a service may take a missing one for all: to delete no messages is not to delete them all.
 */
function splitEmptyLists({ fields }: Operation, request: EncodedRequest): { names: string[]; without: EncodedRequest } {
  const form = new URLSearchParams(request.body)
  const names = Object.entries(fields).flatMap(([name, field]) => {
    const means = field.kind !== 'list' || field.countsWith === undefined || form.get(field.countsWith) === '1'
    return !means && form.get(`${name}[]`) === '' ? [name] : []
  })
  for (const name of names) form.delete(`${name}[]`)
  return { names, without: { ...request, body: form.toString() } }
}

/** Services name the field in a sentence, as a key, or in a path such as `tables.0`. */
const refuses = (reply: UpstreamReply, names: readonly string[]): boolean =>
  reply.kind === 'answer' && reply.status === 422 && names.some((name) => new RegExp(`\\b${name}\\b`).test(reply.body))
