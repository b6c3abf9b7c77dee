import { clsx } from 'clsx'

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

const hourMs = 3_600_000

const looks: Readonly<Record<string, string>> = {
  u: 'h-3.5 bg-ok',
  // Shorter, so that they differ from the others without their colour.
  p: 'h-2.5 bg-warn',
  d: 'h-1.5 bg-danger',
  '-': 'h-0.5 bg-line-strong',
}

/** "Reached in every check of the last day", or how many hours had failed checks, and when the newest began. */
export function describeDay(day: string, fromMs: number): string {
  const letters = [...day]
  if (letters.every((letter) => letter === '-')) return 'Not checked in the last day'
  const failed = letters.flatMap((letter, at) => (letter === 'd' || letter === 'p' ? [at] : []))
  const newest = failed.at(-1)
  if (newest === undefined) return 'Reached in every check of the last day'
  const when = hour.format(fromMs + newest * hourMs)
  return `Checks failed in ${failed.length === 1 ? '1 hour' : `${failed.length} hours`} of the last day, last from ${when} UTC`
}

/** A bar for each hour. `day`: a letter each, oldest first: u reached, d not reached, p both, - not checked. */
export const DayTicks = ({ day, fromMs }: { day: string; fromMs: number }) => (
  <span
    role="img"
    aria-label={describeDay(day, fromMs)}
    title={describeDay(day, fromMs)}
    className="inline-flex h-4 items-end gap-0.5 align-middle"
  >
    {[...day].map((letter, at) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour has no other name than its place.
        key={at}
        aria-hidden
        className={clsx('w-[3px] rounded-[1px] forced-colors:bg-[CanvasText]', looks[letter] ?? looks['-'])}
      />
    ))}
  </span>
)
