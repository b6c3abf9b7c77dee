/** Jobs are titled by what they do and when they began, because the same work is done on the same target again: "Back up a.example, today 02:14". */
import { dayTimeFormat } from '../../_ui/day-time'

type TitledJob = { title: string; startedAt: string }

/** A function for many jobs. now: ms since 1970. */
export function jobTitleFormat(reading: { timeZone: string; now: number }): (job: TitledJob) => string {
  const format = dayTimeFormat(reading)
  return ({ title, startedAt }) => `${title}, ${format(Date.parse(startedAt)).replace(/^(Today|Yesterday)\b/, (day) => day.toLowerCase())}`
}
