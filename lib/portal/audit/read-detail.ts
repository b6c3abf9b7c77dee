/** Reads the stored detail of an audit log entry. */
import 'server-only'

/** Entries of older versions contain less. */
export type Detail = Readonly<Record<string, unknown>>

/** Empty for a detail that somebody changed in the database to be no object: the page Activity reports that the log was changed. */
export function readDetail(text: string | null): Detail {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
