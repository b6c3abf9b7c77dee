/** What a channel can be set to send: notifications by topic. Pure. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import type { NotificationKind } from '@/prisma/generated/portal/client'

export const topics = {
  servers: 'Servers unreachable, and reachable again',
  disks: 'Disks full soon',
  certificates: 'Certificates ending or not renewed',
  backups: 'Backups and copies failed or late, backup targets frozen',
  updates: 'Security updates waiting',
  jobs: 'Jobs failed',
  connections: 'API keys refused, connections frozen',
  approvals: 'Approvals wanted or given',
  access: 'Access and loans given, changed and ending',
  team: 'Invitations accepted, owners changed',
  account: 'Your own account: sign-ins, password, address',
} as const

export type Topic = keyof typeof topics

export const isTopic = (text: string): text is Topic => Object.hasOwn(topics, text)

const byKind: Readonly<Record<NotificationKind, Topic>> = {
  invitation_accepted: 'team',
  new_device: 'account',
  key_refused: 'connections',
  key_frozen: 'connections',
  key_thawed: 'connections',
  membership_ending: 'access',
  access_given: 'access',
  access_changed: 'access',
  access_ending: 'access',
  access_ended: 'access',
  access_asked: 'approvals',
  access_answered: 'approvals',
  approval_wanted: 'approvals',
  approval_decided: 'approvals',
  approval_passed: 'approvals',
  connection_lent: 'access',
  loan_changed: 'access',
  loan_ending: 'access',
  loan_ended: 'access',
  owners_changed: 'team',
  password_reset: 'account',
  email_changed: 'account',
  second_factor_removed: 'account',
  sign_in_method_changed: 'account',
  server_unreachable: 'servers',
  server_reachable: 'servers',
  disk_full_soon: 'disks',
  certificates_failing: 'certificates',
  job_failed: 'jobs',
  batch_incomplete: 'jobs',
  channel_off: 'account',
  backup_late: 'backups',
  backup_target_frozen: 'backups',
  copy_failed: 'backups',
  copy_late: 'backups',
  copy_good: 'backups',
  copies_paused: 'backups',
  prune_failed: 'backups',
  updates_waiting: 'updates',
  certificate_ending: 'certificates',
}

const backupSubjects: ReadonlySet<string> = new Set(['backups', 'copies', 'lastBackups', 'serverBackups'])

/** operation: of the job that failed, if it is one. */
export function topicOf(kind: NotificationKind, operation: unknown): Topic {
  if (operation === 'event.backup') return 'backups'
  const subject = kind === 'job_failed' && typeof operation === 'string' ? findOperation(operation)?.subject : undefined
  return subject !== undefined && backupSubjects.has(subject) ? 'backups' : byKind[kind]
}

/** Answers to what one member asked for; the other kinds of their topic concern more than one. */
const answers: ReadonlySet<NotificationKind> = new Set(['access_answered', 'approval_decided'])

/** Whether a channel of the team never sends it, because it concerns one member alone. */
export const isPersonalEvent = (kind: NotificationKind, topic: Topic): boolean => answers.has(kind) || isPersonal(topic)

/** Topics that concern one member alone; a channel of the team never sends them. */
export const isPersonal = (topic: Topic): boolean => topic === 'account' || topic === 'access'

/** Those that a channel of the team can send. */
export const teamTopics: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(topics).filter(([topic]) => isTopic(topic) && !isPersonal(topic)),
)

export const readTopics = (stored: string): Topic[] => stored.split(',').filter(isTopic)
