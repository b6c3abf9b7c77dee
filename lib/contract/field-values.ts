/** Reads the value of a field of a request, in each way that clients of the interface write it. */
import type { GivenField } from '@/lib/contract/body'
import type { Field, ListField } from '@/lib/contract/fields'
import { JsonRefused, parseJson } from '@/lib/contract/json'

export type Reading = { value: string | boolean | string[] } | { refusal: string }

/** Whether the bundled service refuses a request without the field. */
export const isRequired = (field: Field): boolean => !field.extension && !field.emptyIfAbsent

export function readAbsent(field: Field): Reading {
  if (!field.emptyIfAbsent) return { refusal: 'This field is missing.' }
  return { value: field.kind === 'list' ? [] : '' }
}

export function readField(field: Field, given: GivenField): Reading {
  const values = field.kind === 'list' ? readList(field, given) : given.values
  if (values.some((value) => value.includes('\0'))) return { refusal: 'This contains a character that is not allowed.' }
  if (field.kind === 'list') return { value: values.filter((value) => value !== '') }
  const [value, ...more] = values
  if (value === undefined || more.length > 0 || given.listed) return { refusal: 'Enter one value, not a list.' }
  if (field.kind === 'flag') return readFlag(value)
  // An empty extension field must not count as absent.
  return field.extension && value === '' ? { refusal: 'Leave it out or enter a value.' } : { value }
}

/** In any case, because Python writes True. */
function readFlag(value: string): Reading {
  const word = value.toLowerCase()
  if (word === '1' || word === 'true') return { value: true }
  if (word === '0' || word === 'false') return { value: false }
  return { refusal: 'Use 1 or 0, or true or false.' }
}

/** Items that may contain commas and brackets are split only where the client wrote one text for the whole list. */
function readList({ plainItems }: ListField, { values, listed }: GivenField): readonly string[] {
  const [only, ...more] = values
  const isWhole = only !== undefined && more.length === 0 && (plainItems || !listed)
  const items = (isWhole && readJsonList(only)) || values
  return plainItems ? items.flatMap((item) => item.split(',').map((part) => part.trim())) : items
}

/** Null for a text that is no list of texts and numbers in JSON. */
function readJsonList(text: string): string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const list = parseJson(text, 1)
    const isPlain = Array.isArray(list) && list.every((item) => typeof item === 'string' || typeof item === 'number')
    return isPlain ? list.map(String) : null
  } catch (error) {
    if (error instanceof JsonRefused) return null
    throw error
  }
}
