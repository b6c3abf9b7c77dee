import cronstrue from 'cronstrue'
import { timeFormat } from '@/app/_ui/time-in-zone'
import { nextRuns } from '@/lib/crontab/next-runs'
import { parseSchedule, readByCron, type Schedule } from '@/lib/crontab/schedule'
import { formatTimes, nicknames, type Times, timeNames } from '@/lib/crontab/times'

export type FormattedTimes = {
  /** "Every day at 04:30"; the fields as they are if they are not understood. */
  sentence: string
  /** A common mistake with such a schedule; empty if there is none. */
  note: string
  /** Null if there are no runs to show. */
  schedule: Schedule | null
}

/** A schedule in words. */
export function formatWhen(times: Times): FormattedTimes {
  if (times.minute === '@reboot') return { sentence: 'When the server starts', note: '', schedule: null }
  const schedule = parseSchedule(times)
  const known = Object.hasOwn(nicknames, times.minute) ? nicknames[times.minute] : null
  const fields = known ?? times
  if (!schedule) return { sentence: formatTimes(times), note: '', schedule }
  return { sentence: formatFields(fields, schedule), note: noteOn(fields, schedule), schedule }
}

function formatFields(fields: Times, { eitherDay }: Schedule): string {
  const said = cronstrue.toString(timeNames.map((name) => readByCron(fields[name])).join(' '), {
    use24HourTimeFormat: true,
    logicalAndDayFields: !eitherDay,
  })
  const everyDay = fields.dom === '*' && fields.mon === '*' && fields.dow === '*'
  return everyDay && said.startsWith('At ') && !said.includes('past the hour') ? `Every day at ${said.slice(3)}` : said
}

function noteOn(fields: Times, { eitherDay }: Schedule): string {
  const random = timeNames.map((name) => fields[name]).find((field) => readByCron(field) !== field)
  if (random !== undefined) return `Debian’s cron has no random times: it takes ${readByCron(random)} for ${random}.`
  const { dom, dow } = fields
  if (eitherDay) return 'Day and weekday are both set: the job runs on every day that matches either of them.'
  const both = dom !== '*' && dow !== '*'
  return both ? 'Day and weekday are both set and one begins with *: the job runs only on days that match both.' : ''
}

/** Whether the browser knows the zone by that name. */
function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).format(0) !== ''
  } catch {
    return false
  }
}

/** `timeZone` as the server reports it; without one, its wall clock is treated as UTC and no zone is named. */
export function runsOf(schedule: Schedule, timeZone: string, nowMs: number, count: number): string[] {
  const zone = timeZone !== '' && isZone(timeZone) ? timeZone : 'UTC'
  const format = timeFormat(zone, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const year = new Intl.DateTimeFormat('en-GB', { timeZone: zone, year: 'numeric' })
  const thisYear = year.format(nowMs)
  return nextRuns(schedule, zone, nowMs, count).map((moment) => {
    const then = year.format(moment)
    return then === thisYear ? format(moment) : `${format(moment)} (${then})`
  })
}

export const formatZone = (timeZone: string): string => (timeZone !== '' && isZone(timeZone) ? timeZone : 'the server’s own clock')
