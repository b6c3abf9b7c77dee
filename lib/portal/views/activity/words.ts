/** What stands in the record, in words. */
import 'server-only'
import { operations } from '@/lib/contract'
import { isProblemCode, problemKinds } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'

/** The groups that the record can be narrowed to, in words. */
export const kinds = {
  changes: 'Changes',
  deletions: 'What cannot be undone',
  reads: 'Private reads',
  accounts: 'Sign-ins and accounts',
  keys: 'Keys',
} as const

export type Kind = keyof typeof kinds

/** The portal's own that are neither accounts nor keys. */
const ownIds: Readonly<Record<string, readonly OwnAction[]>> = {
  change: ['labels.add', 'labels.remove', 'activity.undo', 'jobs.stopFollowing'],
  read: ['servers.show', 'jobs.show'],
}

const idsOf = (effect: string): string[] => [
  ...operations.filter((each) => each.effect === effect).map(({ id }) => id),
  ...(ownIds[effect] ?? []),
]

/** Which actions a kind holds: by their whole id, or by what it begins with. */
export function actionsOf(kind: Kind): { ids: readonly string[]; prefixes: readonly string[] } {
  if (kind === 'changes') return { ids: idsOf('change'), prefixes: [] }
  if (kind === 'deletions') return { ids: idsOf('destroy'), prefixes: [] }
  if (kind === 'reads') return { ids: idsOf('read'), prefixes: [] }
  return { ids: [], prefixes: kind === 'keys' ? ['connection.', 'key.'] : ['session.', 'person.', 'owner.'] }
}

/** asked: a host key was shown, and nothing was done yet. open: begun, and nothing more was written. interrupted: the line broke and the end is not known. */
export const results = {
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  asked: 'Asked',
  unknown: 'Unknown',
  interrupted: 'Interrupted',
  open: 'No outcome yet',
  tamper: 'Tampered with',
} as const

export type Result = keyof typeof results

export const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(kinds, value)
export const isResult = (value: unknown): value is Result => typeof value === 'string' && Object.hasOwn(results, value)

/** Why it came out like that, from what was noted beside it; null where nothing was. */
export function formatReason(action: string, detail: Readonly<Record<string, unknown>>): string | null {
  if (detail.code === 'host_key_unconfirmed') return 'Asked to compare the host key.'
  if (isProblemCode(detail.code)) return problemKinds[detail.code].sentence
  if (action === 'session.signIn') return 'The email address or the password was not right.'
  if (detail.reason === 'wrong password') return 'The password was wrong.'
  return typeof detail.reason === 'string' && detail.reason !== '' ? detail.reason : null
}
