import { countOf } from '../../_ui/count'
import { dayFormat } from '../../_ui/dates'
import type { Tone } from '../../_ui/state-chip'

type Chip = { label: string; tone: Tone; live?: boolean }

/** The states that services report, and `unknown` while theirs does not answer. */
const chips: Readonly<Record<string, Chip>> = {
  creating: { label: 'Creating', tone: 'accent', live: true },
  ready: { label: 'Up', tone: 'ok' },
  down: { label: 'Down', tone: 'danger' },
  deleting: { label: 'Deleting', tone: 'warn', live: true },
  failed: { label: 'Failed', tone: 'danger' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

/** Null for a site whose service reports no state. */
export const siteChipOf = (state: string): Chip | null => (Object.hasOwn(chips, state) ? (chips[state] ?? null) : null)

/** `state` comes from an address, so it may be anything. */
export const formatSiteState = (state: string): string => siteChipOf(state)?.label ?? 'Not reported'

const sslLabels: Readonly<Record<string, string>> = { on: 'On', off: 'Off', soon: 'Expires soon', expired: 'Expired' }
const pointsLabels: Readonly<Record<string, string>> = { yes: 'Points to the server', no: 'Doesn’t point to the server' }

export const formatSsl = (ssl: string): string => sslLabels[ssl] ?? 'Not reported'
export const formatPoints = (points: string): string => pointsLabels[points] ?? 'Not comparable'

/** Whether a certificate is over. A time that cannot be read is not. */
export const isExpired = (expires: string, now: number): boolean => Date.parse(expires) < now

const dayMs = 86_400_000
const soonMs = 14 * dayMs

/** Whether a certificate ends within two weeks or is over. It should have been renewed a month before its end. */
export const endsSoon = (expires: string, now: number): boolean => Date.parse(expires) - now < soonMs

/** "87 days left", "Expires today", "Expired 3 days ago"; a time that cannot be read stays as it is. */
export function formatDaysLeft(expires: string, now: number): string {
  const left = Date.parse(expires) - now
  if (Number.isNaN(left)) return expires
  const days = Math.floor(Math.abs(left) / dayMs)
  if (left < 0) return days === 0 ? 'Expired today' : `Expired ${countOf(days, 'day')} ago`
  return days === 0 ? 'Expires today' : `${countOf(days, 'day')} left`
}

const formatDay = dayFormat('UTC')

/** "12 Feb 2027" in UTC, as certificates count; a time that cannot be read stays as it is. */
export function formatExpiry(expires: string): string {
  const at = Date.parse(expires)
  return Number.isNaN(at) ? expires : formatDay(at)
}
