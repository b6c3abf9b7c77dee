/** From what a person filled in to the request that would be sent. */
import 'server-only'
import type { Field, Operation } from '@/lib/contract/operation'
import { isProblem, type Outcome, problem } from '@/lib/contract/problem'
import { decodeInput, type EncodedRequest, encodeRequest, type Fields, PathIdRefused } from '@/lib/contract/request'
import type { Decision } from '@/lib/portal/access/decide'

export type PreparedRequest = EncodedRequest

/** Request fields by the interface's names: text, true or false for a flag, texts for a list. Other members are left out. */
export type GivenFields = Readonly<Record<string, unknown>>

// Room for a private key and a long command; nothing of the interface needs more in one field.
const longestField = 65_536

/**
 * Checks the fields and writes the request, the upstream's own ids filled in from the rows. An id that would lead to
 * another path is refused as not found, whoever gave it.
 */
export function prepareRequest(
  operation: Operation,
  decision: Pick<Decision, 'connection' | 'server' | 'pathParameters'>,
  fields: GivenFields,
): Outcome<PreparedRequest> {
  const { extensions } = decision.connection
  // Without the extension the field would be left out, and asking would become doing.
  if (fields.host_key === 'ask' && !extensions) {
    return { ok: false, problem: problem('not_built', { sentence: 'This service cannot show a host key before it logs in.' }) }
  }
  const given = complete(operation, decision.server, fields)
  const app = typeof fields.app === 'string' && operation.path.includes('{app}') ? { app: fields.app } : {}
  const input = decodeInput(operation, readFields(operation, given), { ...app, ...decision.pathParameters })
  if (isProblem(input)) return { ok: false, problem: input }
  try {
    return { ok: true, data: encodeRequest(operation, input, { extensions }) }
  } catch (error) {
    if (error instanceof PathIdRefused) return { ok: false, problem: problem('not_found') }
    throw error
  }
}

/** Fills in what the portal knows itself. An update takes all that can be updated: what is not edited goes as it is known now. */
function complete(operation: Operation, server: Decision['server'], fields: GivenFields): GivenFields {
  if (operation.id === 'sites.create') return { ...fields, server: server?.upstreamId ?? '' }
  return operation.id === 'servers.update' && server ? { name: server.name, dns: server.dns, ...fields } : fields
}

/** Only own members of the right kind are taken: an object where a text belongs counts as missing. */
function readFields(operation: Operation, given: GivenFields): Fields {
  const fields = new Map<string, { values: string[]; listed: boolean }>()
  for (const [name, field] of Object.entries(operation.fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const values = valuesOf(field, value)
    if (values?.every((text) => text.length <= longestField)) fields.set(name, { values, listed: field.kind === 'list' })
  }
  return fields
}

/** A box that is not ticked is not sent by a browser, nor is an empty list. */
function valuesOf(field: Field, value: unknown): string[] | null {
  if (field.kind === 'flag') return [value === true || value === 'on' || value === '1' || value === 'true' ? '1' : '0']
  if (field.kind === 'list') {
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return values.every((item) => typeof item === 'string') ? values : null
  }
  return typeof value === 'string' ? [value] : null
}
