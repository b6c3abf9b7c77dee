/** What a person fills in about a connection, checked before anything is asked of a service. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { isUsableKey } from '@/lib/portal/custody/credential'
import type { Connection } from '@/prisma/generated/portal/client'

const maxLabelLength = 60

/** Why a label cannot be taken; null where it can. Labels are told apart by people: one of each among those they see. */
export function refuseLabel(label: string, others: readonly Pick<Connection, 'label'>[]): string | null {
  if (label === '') return 'Give it a name you will know it by.'
  if ([...label].length > maxLabelLength) return `Use at most ${maxLabelLength} characters.`
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(label)) return 'Leave out invisible characters.'
  const taken = others.some((other) => other.label.toLowerCase() === label.toLowerCase())
  return taken ? 'Another connection has this name. Give it one of its own.' : null
}

/** Why a text cannot be an API key; null where it can. */
export function refuseKey(key: string): string | null {
  if (key === '') return 'Paste the API key.'
  return isUsableKey(key) ? null : 'This is not an API key: those have 8 to 4096 characters, no blanks, and only plain letters and signs.'
}

/** Why the name typed to confirm does not. */
export const refuseConfirmation = (typed: string, label: string): string | null =>
  typed.trim() === label ? null : `Type the name “${label}” to confirm.`

/** The refusals by field as one problem; null where there is none. */
export function refuseFields(refusals: Readonly<Record<string, string | null>>): Problem | null {
  const fields = Object.entries(refusals).filter((entry): entry is [string, string] => entry[1] !== null)
  return fields.length > 0 ? problem('invalid', { fields: Object.fromEntries(fields) }) : null
}
