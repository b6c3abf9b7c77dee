/** Requests of the interface: encoded by a client, decoded by a service. */
import type { Fields } from '@/lib/contract/body'
import { isRequired, readAbsent, readField } from '@/lib/contract/field-values'
import type { Field } from '@/lib/contract/fields'
import type { Input, Operation, OperationDefinition } from '@/lib/contract/operation'
import { renderPath } from '@/lib/contract/path'
import { type Problem, problem } from '@/lib/contract/problem'

export { decodeFields, decodeQuery, type Fields, fieldsFromEntries } from '@/lib/contract/body'
export { matchRequest, methodsOf, PathIdRefused } from '@/lib/contract/path'

/** The request to send; path is below the service's base URL and may have a query. Body and contentType come together or not at all. */
export type EncodedRequest = { method: 'GET' | 'POST'; path: string; body?: string; contentType?: string }

/** A field's name and value pairs. An empty list is `name[]=` alone, because otherwise the name would be missing. */
function pairsOf(name: string, field: Field, value: unknown): [string, string][] {
  if (field.kind === 'flag') return [[name, value === true ? '1' : '0']]
  if (field.kind !== 'list') return [[name, typeof value === 'string' ? value : '']]
  const values = Array.isArray(value) && value.length > 0 ? value.map(String) : ['']
  return values.map((item) => [`${name}[]`, item])
}

/**
 * Encodes a request. Sends every field of the interface, including empty ones: in the body, or in the query of a GET.
 * @param options.extensions whether this service announces extensions; without them extension fields are omitted
 * @throws PathIdRefused if an id must not be part of a path
 */
export function encodeRequest<O extends Operation>(operation: O, input: Input<O>, options: { extensions: boolean }): EncodedRequest {
  const given: Readonly<Record<string, unknown>> = input
  const path = renderPath(operation, given)
  const pairs = Object.entries(operation.fields).flatMap(([name, field]) => {
    if (field.extension && (!options.extensions || given[name] === undefined)) return []
    return pairsOf(name, field, given[name])
  })
  const form = new URLSearchParams(pairs).toString()
  if (operation.method === 'GET') return { method: 'GET', path: form === '' ? path : `${path}?${form}` }
  return { method: 'POST', path, body: form, contentType: 'application/x-www-form-urlencoded' }
}

const required = (operation: Operation): string[] =>
  Object.entries(operation.fields).flatMap(([name, field]) => (isRequired(field) ? [name] : []))

/**
 * Distinguishes operations that share a path: the one whose fields are all present, and no field of another.
 * @returns `ambiguous` if the fields fit none of them
 */
export function chooseOperation(operations: readonly Operation[], fields: Fields): Operation | Problem {
  const [only, ...others] = operations
  if (only && others.length === 0) return only
  const fitting = operations.filter((operation) => {
    const foreign = operations.flatMap((other) => Object.keys(other.fields)).filter((name) => !(name in operation.fields))
    return required(operation).every((name) => fields.has(name)) && !foreign.some((name) => fields.has(name))
  })
  const [chosen, ...rivals] = fitting
  return chosen && rivals.length === 0 ? chosen : problem('ambiguous')
}

/**
 * Decodes the fields of an operation from a body or a query; ignores unknown names.
 * @param pathParameters from matchRequest; without them the input contains only the fields
 * @returns the input, or `invalid` with a reason for each missing or refused field
 */
export function decodeInput<O extends OperationDefinition>(
  operation: O,
  fields: Fields,
  pathParameters: Readonly<Record<string, string>> = {},
): Input<O> | Problem {
  const input: Record<string, unknown> = { ...pathParameters }
  const refusals: Record<string, string> = {}
  for (const [name, field] of Object.entries(operation.fields)) {
    const given = fields.get(name)
    if (!given && field.extension) continue
    const reading = given ? readField(field, given) : readAbsent(field)
    if ('refusal' in reading) refusals[name] = reading.refusal
    else input[name] = reading.value
  }
  // The loop above adds values of each field's kind; the type system cannot follow computed names.
  return Object.keys(refusals).length > 0 ? problem('invalid', { fields: refusals }) : (input as Input<O>)
}
