/** The last day of a membership: "27 November 2026". A day ends in UTC, so it is shown in UTC. `at` is ISO. */
export function EndOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {day.format(new Date(at))}
    </time>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
