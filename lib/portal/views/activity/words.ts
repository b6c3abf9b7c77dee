/** Labels for actions and results in Activity. */
import { barredReason } from '@/lib/portal/identity/single-sign-on/required'
import 'server-only'
import { describeFailure } from '@/lib/backup/scheduled/failure'
import { operations } from '@/lib/contract'
import type { Effect } from '@/lib/contract/operation'
import { isProblemCode, problemKinds } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'

/** The groups of actions that Activity can be filtered by, with their labels. */
export const kinds = {
  changes: 'Changes',
  deletions: 'Deletions',
  reads: 'Private reads',
  accounts: 'Sign-ins and accounts',
  keys: 'Keys',
  servers: 'Server events',
} as const

export type Kind = keyof typeof kinds

/** Actions of the portal itself that concern neither users nor connections. */
const ownIds: Readonly<Record<string, readonly OwnAction[]>> = {
  change: ['labels.add', 'labels.remove', 'activity.undo', 'jobs.stopFollowing'],
  read: ['servers.show', 'sites.show', 'jobs.show', 'jobs.showCredentials', 'activity.export', 'archive.download'],
}

const idsOf = (effect: Effect): string[] => [
  ...operations.filter((each) => each.effect === effect).map(({ id }) => id),
  ...(ownIds[effect] ?? []),
]

/** The actions of a group: whole ids, and prefixes of ids. */
export function actionsOf(kind: Kind): { ids: readonly string[]; prefixes: readonly string[] } {
  if (kind === 'changes') return { ids: idsOf('change'), prefixes: ['approval.'] }
  if (kind === 'deletions') return { ids: idsOf('destroy'), prefixes: [] }
  if (kind === 'reads') return { ids: [...idsOf('read'), ...idsOf('export')], prefixes: [] }
  if (kind === 'servers') return { ids: [], prefixes: ['event.'] }
  return {
    ids: [],
    prefixes: kind === 'keys' ? ['connection.', 'key.'] : ['session.', 'person.', 'owner.', 'invitation.', 'member.', 'access.', 'team.'],
  }
}

/**
 * asked: a host key was shown; nothing has been changed yet. open: started, with no outcome in the log. interrupted: the connection broke
 * and the outcome is unknown. cancelled: by somebody, whose own entry names them.
 */
export const results = {
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  asked: 'Started',
  unknown: 'Unknown',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
  open: 'No outcome yet',
  tamper: 'Tampered with',
} as const

export type Result = keyof typeof results

export const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(kinds, value)
export const isResult = (value: unknown): value is Result => typeof value === 'string' && Object.hasOwn(results, value)

/** Why a sign-in failed, by the reason in the detail. */
const signInReasons: ReadonlyMap<unknown, string> = new Map([
  [barredReason, 'The team requires single sign-on.'],
  ['not a member', 'The account is disabled or no longer a member.'],
  ['another account', 'The passkey belongs to another account.'],
  ['unknown', 'No active member and no open invitation has the address.'],
  ['unverified', 'The identity provider has not verified the address.'],
  ['taken', 'The account is connected with another account at the identity provider.'],
  ['unproven', 'A second factor has to be set up, and the identity provider did not ask for the password.'],
])

/** The reason for a result, from the detail; null if none was stored. */
export function formatReason(action: string, detail: Readonly<Record<string, unknown>>): string | null {
  if (detail.code === 'host_key_unconfirmed') return 'Waiting for the host key to be confirmed.'
  if (detail.code === 'adoption_unconfirmed') return 'Waiting for the sites that come back to be confirmed.'
  if (detail.code === 'outcome_unknown' && typeof detail.reason === 'string') return detail.reason
  // The code does not say which of the two it was.
  if (detail.code === 'forbidden') return 'Their role or access does not include this.'
  if (isProblemCode(detail.code)) return problemKinds[detail.code].sentence
  if (action === 'portal.backup' && typeof detail.reason === 'string') return describeFailure(detail.reason)
  if (action === 'session.signIn') return signInReasons.get(detail.reason) ?? 'Wrong email address or password.'
  if (detail.reason === 'wrong password') return 'Wrong password.'
  return typeof detail.reason === 'string' && detail.reason !== '' ? detail.reason : null
}
