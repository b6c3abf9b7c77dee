/** Request bodies as a service written in PHP reads them: of a repeated plain name the last value stays. */

export type SentFields = Record<string, string | string[]>

/** Reads an urlencoded body; anything else has no fields. */
export function readFields(contentType: string | undefined, body: string): SentFields {
  const fields: SentFields = {}
  if (!contentType?.startsWith('application/x-www-form-urlencoded')) return fields
  for (const [name, value] of new URLSearchParams(body)) {
    if (!name.endsWith('[]')) {
      fields[name] = value
      continue
    }
    const plain = name.slice(0, -2)
    const before = fields[plain]
    fields[plain] = Array.isArray(before) ? [...before, value] : [value]
  }
  return fields
}

/** One value; empty when absent. */
export function one(fields: SentFields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A list; the empty string in it stands for nothing. */
export function many(fields: SentFields, name: string): string[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((item) => item !== '') : []
}
