/** Turns a user's input into the request to send. */
import 'server-only'
import { type Field, maxFieldLength } from '@/lib/contract/fields'
import type { Operation } from '@/lib/contract/operation'
import { extensionRefusal } from '@/lib/contract/policy'
import { isProblem, type Outcome, problem } from '@/lib/contract/problem'
import { decodeInput, type EncodedRequest, encodeRequest, type Fields, PathIdRefused } from '@/lib/contract/request'
import type { Decision } from '@/lib/portal/access/decide'

export type PreparedRequest = EncodedRequest

/** Request fields by the interface's names: text, a boolean for a flag, texts for a list. Other members are ignored. */
export type GivenFields = Readonly<Record<string, unknown>>

/**
 * Checks the fields and builds the request, with the service's own ids from the rows. Refuses an id that would change the path as not
 * found, wherever it came from.
 */
export function prepareRequest(
  operation: Operation,
  decision: Pick<Decision, 'connection' | 'server' | 'pathParameters'>,
  fields: GivenFields,
): Outcome<PreparedRequest> {
  const { extensions } = decision.connection
  const refusal = extensions ? null : extensionRefusal(operation, fields)
  if (refusal !== null) return { ok: false, problem: problem('not_built', { sentence: refusal }) }
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

/** Adds the values that the portal knows itself, as the fields specify. An update sends omitted fields with their last known values. */
function complete(operation: Operation, server: Decision['server'], fields: GivenFields): GivenFields {
  const known = { 'server.id': server?.upstreamId, 'server.name': server?.name, 'server.dns': server?.dns }
  const filled = Object.entries(operation.fields).flatMap(([name, { alwaysFrom, defaultFrom }]) => {
    if (alwaysFrom) return [[name, known[alwaysFrom] ?? '']]
    return defaultFrom && server && !Object.hasOwn(fields, name) ? [[name, known[defaultFrom]]] : []
  })
  return { ...fields, ...Object.fromEntries(filled) }
}

/** Accepts only own properties of the right type: an object in place of text counts as missing. */
function readFields(operation: Operation, given: GivenFields): Fields {
  const fields = new Map<string, { values: string[]; listed: boolean }>()
  for (const [name, field] of Object.entries(operation.fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const values = valuesOf(field, value)
    if (values?.every((text) => text.length <= maxFieldLength)) fields.set(name, { values, listed: field.kind === 'list' })
  }
  return fields
}

/** Browsers send neither unchecked checkboxes nor empty lists. */
function valuesOf(field: Field, value: unknown): string[] | null {
  if (field.kind === 'flag') return [value === true || value === 'on' || value === '1' || value === 'true' ? '1' : '0']
  if (field.kind === 'list') {
    if (value === undefined && field.extension) return null
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return values.every((item) => typeof item === 'string') ? values : null
  }
  return typeof value === 'string' ? [value] : null
}
