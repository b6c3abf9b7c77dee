/** Notifications as sentences, with the page that each leads to. */
import 'server-only'
import { sayJobFailed } from '@/lib/portal/jobs/title'
import { failingIn, formatFailing } from '@/lib/portal/subjects/findings/failing-certificates'
import { showBidiControls } from '@/lib/text/bidi'
import { toReadableDomain } from '@/lib/text/idn'
import type { NotificationKind } from '@/prisma/generated/portal/client'

/** What was stored with it. Notifications of other versions contain less, so each sentence works without it. */
export type Detail = Readonly<Record<string, unknown>>

const named = (detail: Detail, name: string, plain: string): string => {
  const value = detail[name]
  return typeof value === 'string' && value !== '' ? value : plain
}

const connection = (detail: Detail): string => {
  const label = named(detail, 'label', '')
  return label === '' ? 'a connection' : `the connection “${label}”`
}

const server = (detail: Detail): string => named(detail, 'name', 'A server')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "on 4 Dec 2026", in UTC, because the sentence is the same for every reader. */
function formatDay(detail: Detail, member = 'endsAt'): string {
  const at = new Date(named(detail, member, ''))
  if (Number.isNaN(at.getTime())) return 'soon'
  return `on ${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}`
}

/** At the beginning of a sentence. */
function siteOf(detail: Detail): string {
  const name = named(detail, 'name', '')
  return name === '' ? 'A site' : toReadableDomain(name)
}

/** "on 4 Dec 2026 at 18:00 UTC". */
function formatMoment(detail: Detail): string {
  const at = new Date(named(detail, 'endsAt', ''))
  return Number.isNaN(at.getTime()) ? 'soon' : `${formatDay(detail)} at ${at.toISOString().slice(11, 16)} UTC`
}

/** ", from 3 Dec 2026 at 08:00 UTC until 4 Dec 2026 at 18:00 UTC"; empty for what has neither. */
function formatPeriod(detail: Detail): string {
  const said = (word: string, name: string) =>
    named(detail, name, '') === '' ? '' : formatMoment({ endsAt: detail[name] }).replace(/^on/, word)
  const period = [said('from', 'startsAt'), said('until', 'endsAt')].filter(Boolean).join(' ')
  return period && `, ${period}`
}

/** "Copies of web-01 to Storage failed: The target is full." */
function withCause(text: string, detail: Detail): string {
  const why = named(detail, 'why', '')
  return `${text}${why && `: ${why}`}`.replace(/[^.]$/, '$&.')
}

const whoDid = (detail: Detail): string => named(detail, 'by', 'Gatehouse')

const formatJob = (detail: Detail): string => sayJobFailed(named(detail, 'operation', ''), named(detail, 'name', 'a server'))

const sentences: Readonly<Record<NotificationKind, (detail: Detail) => string>> = {
  invitation_accepted: (detail) => {
    const role = named(detail, 'role', '')
    return `${named(detail, 'name', named(detail, 'email', 'Someone'))} accepted the invitation${role && ` as ${capital(role)}`}.`
  },
  new_device: (detail) =>
    `Your account was used to sign in from a new browser: ${named(detail, 'device', 'unknown')}, ${named(detail, 'peer', 'unknown address')}. If that wasn’t you, end the session and change your password.`,
  key_refused: (detail) => `The service no longer accepts the API key of ${connection(detail)}. Replace the key.`,
  key_frozen: (detail) => `${named(detail, 'by', 'Gatehouse')} froze ${connection(detail)}.`,
  key_thawed: (detail) => `${named(detail, 'by', 'Gatehouse')} thawed ${connection(detail)}.`,
  membership_ending: (detail) => {
    const name = named(detail, 'name', '')
    return name === '' ? `Your membership ends ${formatDay(detail)}.` : `The membership of ${name} ends ${formatDay(detail)}.`
  },
  access_ending: (detail) => {
    const [name, about] = [named(detail, 'name', ''), named(detail, 'about', '')]
    if (name !== '') return `The access that you gave to ${name} ends ${formatMoment(detail)}.`
    return `Your access${about && ` to ${about}`} ends ${formatMoment(detail)}.`
  },
  access_given: (detail) => `${whoDid(detail)} gave you access to ${named(detail, 'about', 'servers and sites')}${formatPeriod(detail)}.`,
  access_changed: (detail) =>
    `${whoDid(detail)} changed access of yours: you can ${named(detail, 'about', 'reach servers and sites')}${formatPeriod(detail)}.`,
  access_ended: (detail) => `${whoDid(detail)} ended your access to ${named(detail, 'about', 'servers and sites')}.`,
  connection_lent: (detail) => `${whoDid(detail)} lent you ${connection(detail)}${formatPeriod(detail)}.`,
  loan_changed: (detail) => `${whoDid(detail)} changed what you can use ${connection(detail)} for${formatPeriod(detail)}.`,
  loan_ending: (detail) => {
    const name = named(detail, 'name', '')
    return `The loan of ${connection(detail)} to ${name || 'you'} ends ${formatMoment(detail)}.`
  },
  loan_ended: (detail) => `${whoDid(detail)} ended the loan of ${connection(detail)}.`,
  access_asked: (detail) => {
    const [about, long, lend] = [named(detail, 'about', ''), named(detail, 'long', ''), named(detail, 'lend', '')]
    const asks = `${named(detail, 'name', 'Someone')} asks for access${about && ` to ${about}`}${long && `, ${long}`}.`
    return lend === '' ? asks : `${asks} For that, your connection “${lend}” has to be lent to them.`
  },
  access_answered: (detail) => {
    const [about, by, reason] = [named(detail, 'about', ''), named(detail, 'by', 'Someone'), named(detail, 'reason', '')]
    // Empty for whoever asked.
    const [asker, answer] = [named(detail, 'asker', ''), named(detail, 'answer', '')]
    const request = asker === '' ? 'your request' : `the request of ${asker}`
    const asked = `${request} for access${about && ` to ${about}`}`
    if (answer === 'refused') return `${by} refused ${asked}${reason && `: ${reason}`}.`
    if (answer === 'expired') return `Nobody answered ${asked}. Ask again if you still need it.`
    const until = named(detail, 'endsAt', '') && `, until ${formatMoment(detail).replace(/^on /, '')}`
    // The others are told what was asked for: what was given may name more than they see.
    if (asker !== '') return `${by} approved ${asked}${until}.`
    return `${by} approved ${request} for access${about && `: you can ${about}`}${until}.`
  },
  owners_changed: (detail) => {
    const [name, by] = [named(detail, 'name', ''), named(detail, 'by', '')]
    const change = { added: 'is now', removed: 'is no longer' }[named(detail, 'change', '')]
    const what = name !== '' && change !== undefined ? `${name} ${change} an owner of the team` : 'The owners of the team changed'
    return `${what}${by && `, by ${by}`}.`
  },
  password_reset: (detail) => {
    const [name, by] = [named(detail, 'name', ''), named(detail, 'by', '')]
    return `The password of ${name || 'your account'} was reset${by && ` with a link from ${by}`}. All its sessions ended.`
  },
  email_changed: (detail) =>
    `The address of your account is now ${named(detail, 'email', 'another one')}${named(detail, 'by', '') && `, changed by ${named(detail, 'by', '')}`}.`,
  second_factor_removed: (detail) =>
    `The server administrator removed the second factor of ${named(detail, 'name', 'your account')}. If nobody asked for that, ask them why.`,
  sign_in_method_changed: (detail) => {
    const change = { added: 'was added to', removed: 'was removed from' }[named(detail, 'change', '')] ?? 'was changed on'
    return `${capital(named(detail, 'method', 'a way to sign in'))} ${change} your account. If that wasn’t you, change your password and end your other sessions.`
  },
  server_unreachable: (detail) => `${server(detail)} has been unreachable for 5 minutes.`,
  server_reachable: (detail) => `${server(detail)} is reachable again.`,
  disk_full_soon: (detail) => {
    const days = detail.days
    const when = typeof days === 'number' ? `will be full in about ${days === 1 ? 'one day' : `${days} days`}` : 'is nearly full'
    return `The disk of ${named(detail, 'name', 'a server')} ${when}.`
  },
  certificates_failing: (detail) => {
    const domains = named(detail, 'domains', '')
    return domains === '' ? 'The certificates of some sites could not be renewed.' : formatFailing(failingIn(domains))
  },
  job_failed: formatJob,
  backup_late: (detail) => `${server(detail)} made no nightly backup since ${formatDay(detail, 'at').replace('on ', '')}.`,
  updates_waiting: (detail) => {
    const count = detail.count
    const what = typeof count === 'number' ? `${count} security ${count === 1 ? 'update' : 'updates'}` : 'Security updates'
    return `${what} of ${named(detail, 'name', 'a server')} ${count === 1 ? 'has' : 'have'} been waiting for more than a day.`
  },
  certificate_ending: (detail) => `The certificate of ${toReadableDomain(named(detail, 'name', 'a site'))} ends ${formatDay(detail)}.`,
  batch_incomplete: (detail) => {
    const { done, failed, all } = detail
    const numbers = typeof done === 'number' && typeof all === 'number'
    const counted = !numbers
      ? 'not all were done'
      : typeof failed !== 'number' || failed === 0
        ? `${done} of ${all} were done`
        : `${failed} of ${all} failed${done + failed < all ? ` and ${done} were done` : ''}`
    return `${named(detail, 'name', 'Several at once')}: ${counted}.`
  },
  channel_off: (detail) => {
    const label = named(detail, 'label', '')
    return `Gatehouse turned off the channel${label && ` “${label}”`}: 20 messages in a row were not accepted. Once they are, turn it on again.`
  },
  backup_target_frozen: (detail) => {
    const [label, name] = [named(detail, 'label', ''), named(detail, 'name', '')]
    return `Gatehouse froze the backup target${label && ` “${label}”`}${name && ` of ${name}`}: its owner may no longer keep one.`
  },
  copy_failed: (detail) => {
    const [label, name] = [named(detail, 'label', 'a backup target'), named(detail, 'name', 'a server')]
    if (detail.proof === 'bad') return withCause(`A copy of ${siteOf(detail)} in ${label} can’t be restored`, detail)
    if (detail.proof === 'unchecked') return withCause(`Copies of ${name} in ${label} could not be proven`, detail)
    return withCause(`Copies of ${name} to ${label} failed`, detail)
  },
  copy_late: (detail) => {
    const at = named(detail, 'at', '')
    const domain = siteOf(detail)
    return at === '' ? `${domain} has no copy elsewhere yet.` : `${domain} was last copied elsewhere ${formatDay(detail, 'at')}.`
  },
  copy_good: (detail) => `${siteOf(detail)} is copied elsewhere again.`,
  copies_paused: (detail) => {
    const [name, why] = [named(detail, 'name', ''), named(detail, 'why', '')]
    return `The schedule for the copies of ${name || 'the team’s sites and servers'} is paused. ${why}`.trim()
  },
  prune_failed: (detail) => {
    const [label, name] = [named(detail, 'label', 'a backup target'), named(detail, 'name', 'a server')]
    return withCause(`Old copies of ${name} in ${label} could not be deleted`, detail)
  },
  approval_wanted: (detail) => `${named(detail, 'who', 'A member')} needs a second person: ${named(detail, 'what', 'a change')}.`,
  approval_decided: (detail) => {
    const [who, what] = [named(detail, 'who', 'A member'), named(detail, 'what', 'what you asked for')]
    const asked = `what ${named(detail, 'asker', 'you')} asked for`
    if (detail.outcome === 'ready') return `${who} approved ${asked}, to be taken within 60 minutes: ${what}.`
    if (detail.outcome === 'scheduled') return `${who} approved ${asked}, to be sent later: ${what}.`
    if (detail.outcome === 'failed') return `${who} approved ${asked}, but it failed: ${what}.`
    return `${who} ${detail.outcome === 'refused' ? 'refused' : 'approved'} ${asked}: ${what}.`
  },
  approval_passed: (detail) => {
    const [who, what, why] = [named(detail, 'who', 'An owner'), named(detail, 'what', 'a change'), named(detail, 'why', '')]
    return `${who} did this without a second person: ${what}.${why && ` Reason: ${why}`}`
  },
}

export const describeNotification = (kind: NotificationKind, detail: Detail): string => showBidiControls(sentences[kind](detail))

const places: Readonly<Record<string, (id: string) => string>> = {
  connection: () => '/keys',
  server: (id) => `/servers/${id}`,
  site: (id) => `/sites/${id}`,
  job: (id) => `/jobs/${id}`,
  batch: (id) => `/jobs/batches/${id}`,
  heldRequest: (id) => `/approvals/${id}`,
  session: () => '/account',
  user: () => '/team',
  team: () => '/team',
  invitation: () => '/team',
}

/** The page of what it is about; null if there is none. */
export function hrefOf(kind: NotificationKind, subjectKind: string | null, subjectId: string | null, detail: Detail): string | null {
  if (kind === 'access_asked') return named(detail, 'page', '/team/requests')
  if (kind === 'access_answered') return named(detail, 'page', '/team/requests')
  if (kind === 'password_reset' || kind === 'email_changed' || kind === 'sign_in_method_changed') return '/account'
  if (kind === 'copies_paused' && subjectKind === 'team') return '/team/backup-targets'
  if (kind === 'copies_paused' || kind === 'prune_failed' || kind.startsWith('copy_'))
    return subjectKind === null ? null : `${places[subjectKind]?.(subjectId ?? '')}/backups`
  if (kind === 'backup_target_frozen') return '/team/backup-targets'
  if (kind === 'channel_off') return subjectKind === 'team' ? '/team/channels' : '/account/notifications'
  if (kind.startsWith('access_') && subjectKind === 'user' && subjectId !== null) return `/team/${subjectId}/access`
  return subjectKind === null ? null : (places[subjectKind]?.(subjectId ?? '') ?? null)
}
