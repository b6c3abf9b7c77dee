/** Checks a connection's form before any service is called. */
import 'server-only'
import { isUsableKey } from '@/lib/portal/custody/credential'
import type { Connection } from '@/prisma/generated/portal/client'

const maxLabelLength = 60

/** Why a label is refused, or null. Labels must be unique among the connections that a user sees. */
export function refuseLabel(label: string, others: readonly Pick<Connection, 'label'>[]): string | null {
  if (label === '') return 'Enter a name.'
  if ([...label].length > maxLabelLength) return `Use at most ${maxLabelLength} characters.`
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(label)) return 'Leave out invisible characters.'
  const taken = others.some((other) => other.label.toLowerCase() === label.toLowerCase())
  return taken ? 'Another connection has this name. Choose a different one.' : null
}

/** Why a text cannot be an API key, or null. */
export function refuseKey(key: string): string | null {
  if (key === '') return 'Enter the API key.'
  return isUsableKey(key) ? null : 'This is not an API key. An API key has 8 to 4096 ASCII characters and no spaces.'
}

/** Why the typed confirmation is refused, or null. */
export const refuseConfirmation = (typed: string, label: string): string | null =>
  typed.trim() === label ? null : `Type the name “${label}” to confirm.`
