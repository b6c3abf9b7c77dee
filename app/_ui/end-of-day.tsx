import { dayFormat } from './dates'

/** The last day of a membership: "27 Nov 2026". A day ends in UTC, so it is shown in UTC. `at` is ISO. */
export function EndOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {formatDay(Date.parse(at))}
    </time>
  )
}

const formatDay = dayFormat('UTC')
