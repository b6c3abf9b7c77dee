/** Decodes request bodies and queries into fields: form, multipart and JSON give the same result. */
import { isJsonObject, JsonRefused, parseJson } from '@/lib/contract/json'
import { readMultipart } from '@/lib/contract/multipart'
import { type Problem, problem } from '@/lib/contract/problem'

/** The values given for a name, and whether they were written as a list (ids[]=…, or an array). */
export type GivenField = { values: readonly string[]; listed: boolean }

/** The fields of a body by plain name; the brackets of ids[] and ids[0] are removed. */
export type Fields = ReadonlyMap<string, GivenField>

export type BodyLimits = { maxBytes: number; maxValues: number }

const defaultLimits: BodyLimits = { maxBytes: 1_048_576, maxValues: 10_000 }

class BodyRefused extends Error {}

/** The plain name, and whether it was written with brackets. */
function readName(given: string): { name: string; listed: boolean } {
  const name = /^([^[\]]+)\[\d{0,9}\]$/.exec(given)?.[1]
  return { name: name ?? given, listed: name !== undefined }
}

/** Collects name and value pairs. `name[]` and `name[0]` are lists, and so is a plain name that occurs twice. */
export function fieldsFromEntries(entries: Iterable<readonly [string, string]>): Fields {
  const fields = new Map<string, { values: string[]; listed: boolean }>()
  for (const [given, value] of entries) {
    const { name, listed } = readName(given)
    const field = fields.get(name) ?? { values: [], listed: false }
    field.values.push(value)
    field.listed ||= listed || field.values.length > 1
    fields.set(name, field)
  }
  return fields
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    throw new BodyRefused('The form is not encoded properly.', { cause: error })
  }
}

function readForm(text: string): [string, string][] {
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    return [decodeComponent(name), equals < 0 ? '' : decodeComponent(pair.slice(equals + 1))]
  })
}

function scalar(value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new BodyRefused('A value is an object or a list.')
}

function readJson(text: string): Fields {
  const body = parseJson(text, 4)
  if (!isJsonObject(body)) throw new BodyRefused('The body is not a JSON object.')
  const fields = new Map<string, GivenField>()
  for (const [given, value] of Object.entries(body)) {
    const { name, listed } = readName(given)
    if (fields.has(name)) throw new BodyRefused(`${name} is there twice.`)
    fields.set(name, Array.isArray(value) ? { values: value.map(scalar), listed: true } : { values: [scalar(value)], listed })
  }
  return fields
}

function readBody(contentType: string, bytes: Uint8Array<ArrayBuffer>): Fields {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (kind === 'application/json') return readJson(text)
  if (kind === 'application/x-www-form-urlencoded') return fieldsFromEntries(readForm(text))
  if (kind !== 'multipart/form-data') throw new BodyRefused('The body is neither a form nor JSON.')
  const entries = readMultipart(contentType, text)
  if (entries === null) throw new BodyRefused('The multipart body is malformed, or contains a file.')
  return fieldsFromEntries(entries)
}

/**
 * Reads a request body. An empty body has no fields, whatever its type.
 * @param contentType the header as sent; null if absent
 * @returns the fields, or `too_large`, or `invalid` with a sentence about the whole body
 */
export async function decodeFields(
  contentType: string | null,
  bytes: Uint8Array<ArrayBuffer>,
  limits: Partial<BodyLimits> = {},
): Promise<Fields | Problem> {
  const { maxBytes, maxValues } = { ...defaultLimits, ...limits }
  if (bytes.byteLength > maxBytes) return problem('too_large')
  if (bytes.byteLength === 0) return new Map()
  try {
    const fields = readBody(contentType ?? '', bytes)
    const count = [...fields.values()].reduce((sum, field) => sum + Math.max(1, field.values.length), 0)
    return count > maxValues ? problem('too_large') : fields
  } catch (error) {
    if (error instanceof BodyRefused) return problem('invalid', { sentence: error.message })
    if (error instanceof JsonRefused) return problem('invalid', { sentence: 'The body is not valid JSON.' })
    if (error instanceof TypeError) return problem('invalid', { sentence: 'The body is not UTF-8 text.' })
    throw error
  }
}

/**
 * Reads the query of a GET request, which is encoded like a form.
 * @param search with its question mark; empty if there is none
 */
export async function decodeQuery(search: string): Promise<Fields | Problem> {
  return decodeFields('application/x-www-form-urlencoded', new TextEncoder().encode(search.replace(/^\?/, '')))
}
