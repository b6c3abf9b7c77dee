/** Times and marks of last night in words. */
import type { NightMark, NightView } from '@/lib/portal/views/home/night'
import { countOf } from '../../_ui/count'
import { timeFormat } from '../../_ui/time-in-zone'

/** "02:14", or "02:14 to 02:25" for what took longer than a minute from the first to the last. */
export function formatSpan({ at, until }: Pick<NightMark, 'at' | 'until'>, timeZone: string): string {
  const format = timeFormat(timeZone, { hour: '2-digit', minute: '2-digit' })
  const [from, to] = [format(Date.parse(at)), format(Date.parse(until))]
  return from === to ? from : `${from} to ${to}`
}

/** "Fri 27 Nov, 20:00 to 08:00, Europe/Berlin" */
export function formatNight({ from, to }: Pick<NightView, 'from' | 'to'>, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(Date.parse(from))
  return `${day}, ${formatSpan({ at: from, until: to }, timeZone)}, ${timeZone.replaceAll('_', ' ')}`
}

/** The time, what happened, and to which: the same for the line of time and for screen readers. */
export const formatMark = (mark: NightMark, timeZone: string): string =>
  `${formatSpan(mark, timeZone)}: ${mark.title}${mark.names === '' ? '' : ` (${mark.names})`}`

/** Every two hours, with the place on the line: 0–1. */
export function ticksOf({ from, to }: Pick<NightView, 'from' | 'to'>, timeZone: string): { at: number; label: string }[] {
  const format = timeFormat(timeZone, { hour: '2-digit', minute: '2-digit' })
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const count = Math.floor((end - start) / twoHoursMs) + 1
  return Array.from({ length: count }, (_, place) => start + place * twoHoursMs).map((moment) => ({
    at: (moment - start) / (end - start),
    label: format(moment),
  }))
}

const twoHoursMs = 2 * 3_600_000

/** Why there are no marks. */
export function formatNothing({ since, from }: Pick<NightView, 'since' | 'from'>): string {
  return since !== null && Date.parse(since) > Date.parse(from)
    ? 'Nothing is known of last night yet: the first server was added after it began.'
    : 'A quiet night: no backups, renewals, updates, reboots or failures are known.'
}

/** Of how many servers it is not known what they did; empty for none. */
export const formatUnknown = (servers: number): string =>
  servers === 0 ? '' : `What ${countOf(servers, 'server')} did is not known yet: ${servers === 1 ? 'it' : 'they'} cannot be reached now.`

const maxRows = 10

/** What the list begins with: everything that went wrong, and the rest as far as there is room; in order of time. */
export function firstRows(marks: readonly NightMark[]): NightMark[] {
  const isWrong = ({ kind }: NightMark) => kind === 'failure' || kind === 'outage'
  const room = Math.max(0, maxRows - marks.filter(isWrong).length)
  const others = new Set(marks.filter((mark) => !isWrong(mark)).slice(0, room))
  return marks.filter((mark) => isWrong(mark) || others.has(mark))
}
