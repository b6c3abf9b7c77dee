/** From what a person filled in to the request that would be sent. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decodeInput, encodeRequest, PathIdRefused } from '@/lib/contract/request'
import type { Decision } from './access/decide'

export type PreparedRequest = ReturnType<typeof encodeRequest>

/**
 * Checks the fields and writes the request, the upstream's own ids filled in from the rows. An id that would lead to
 * another path is refused as not found, whoever gave it.
 */
export function prepareRequest(
  operation: Operation,
  decision: Pick<Decision, 'connection' | 'server' | 'pathParameters'>,
  fields: Readonly<Record<string, unknown>>,
): Outcome<PreparedRequest> {
  const { extensions } = decision.connection
  // Without the extension the field would be left out, and asking would become doing.
  if (fields.host_key === 'ask' && !extensions) {
    return { ok: false, problem: problem('not_built', { sentence: 'This service cannot show a host key before it logs in.' }) }
  }
  const given = operation.id === 'sites.create' ? { ...fields, server: decision.server?.upstreamId ?? '' } : fields
  const input = decodeInput(operation, { ...given, ...decision.pathParameters })
  if (!input.ok) return input
  try {
    return { ok: true, data: encodeRequest(operation, input.data, { extensions }) }
  } catch (error) {
    if (error instanceof PathIdRefused) return { ok: false, problem: problem('not_found') }
    throw error
  }
}
