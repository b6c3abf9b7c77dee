/** Refuses a form by its fields. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'

/** The refusals by field as one problem, or null if there is none. */
export function refuseFields(refusals: Readonly<Record<string, string | null>>): Problem | null {
  const fields = Object.entries(refusals).filter((entry): entry is [string, string] => entry[1] !== null)
  return fields.length > 0 ? problem('invalid', { fields: Object.fromEntries(fields) }) : null
}
