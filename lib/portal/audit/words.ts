/** What stands in the record, in words. */
import 'server-only'
import { findOperation, operations } from '@/lib/contract'
import { isProblemCode, problemKinds } from '@/lib/contract/problem'

/** The portal's own acts; those of the interface have their own sentences. */
const ownActs: Readonly<Record<string, string>> = {
  'session.signIn': 'Sign in',
  'session.signOut': 'Sign out',
  'session.stepUp': 'Confirm the password',
  'session.end': 'End a session',
  'session.endOthers': 'End all other sessions',
  'person.changePassword': 'Change the password',
  'person.rename': 'Change the name',
  'owner.setUp': 'Set up the portal',
  'owner.recoverLink': 'Make a recovery link',
  'owner.recover': 'Choose a new password by a recovery link',
  'key.rotate': 'Change the key that seals the others',
  'key.retire': 'Retire the old sealing key',
  'retention.prune': 'Forget what is past its time',
  'connection.open': 'Open the key of a connection',
  'connection.add': 'Add a connection',
  'connection.create': 'Add a connection',
  'connection.check': 'Check a connection',
  'connection.rename': 'Rename a connection',
  'connection.replaceKey': 'Replace the key of a connection',
  'connection.remove': 'Remove a connection',
  'jobs.show': 'Look at a job',
  'activity.undo': 'Undo a change',
}

/** "Remove a server from the list". What this program does not know any more is called by its id, so that nothing is hidden. */
export const sayAct = (action: string): string => findOperation(action)?.says.replace(/\.$/, '') ?? ownActs[action] ?? action

/** The groups that the record can be narrowed to, in words. */
export const kinds = {
  changes: 'Changes',
  deletions: 'What cannot be undone',
  reads: 'Private reads',
  accounts: 'Sign-ins and accounts',
  keys: 'Keys',
} as const

export type Kind = keyof typeof kinds

const idsOf = (effect: string): string[] => operations.filter((each) => each.effect === effect).map(({ id }) => id)

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
export function sayReason(action: string, detail: Readonly<Record<string, unknown>>): string | null {
  if (detail.code === 'host_key_unconfirmed') return 'Asked to compare the host key.'
  if (isProblemCode(detail.code)) return problemKinds[detail.code].sentence
  if (action === 'session.signIn') return 'The email address or the password was not right.'
  if (detail.reason === 'wrong password') return 'The password was wrong.'
  return typeof detail.reason === 'string' && detail.reason !== '' ? detail.reason : null
}
