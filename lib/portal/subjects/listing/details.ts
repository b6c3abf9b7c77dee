/** What a list item only shows: one JSON value in its row, so that another member needs no column and no statement. */
import 'server-only'
import type * as z from 'zod'

export type Details<T> = {
  /** The stored text. Members that are missing or do not fit the schema are stored as unknown. */
  write: (details: Partial<T>) => string
  /** Never throws: what is missing or does not fit is unknown, as in a row that an earlier version stored. */
  read: (stored: string) => T
}

/** schema: an object of which each member has what it is while it is unknown (`catch`). */
export function createDetails<T extends object>(schema: z.ZodType<T>): Details<T> {
  const unknown = schema.parse({})
  const parse = (value: unknown): T => {
    const read = schema.safeParse(value)
    return read.success ? read.data : unknown
  }
  return { write: (details) => JSON.stringify(parse(details)), read: (stored) => parse(parseJson(stored)) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
