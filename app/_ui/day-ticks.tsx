const hourMs = 3_600_000

const [width, gap, height] = [3, 2, 16]

/** By letter: how high its bar is, and its colour. Those of another colour are of another height too. */
const looks = [
  ['u', 14, 'fill-ok'],
  ['p', 10, 'fill-warn'],
  ['d', 6, 'fill-danger'],
  ['-', 2, 'fill-line-strong'],
] as const

/** "Reached in every check of the last day", or how many hours had failed checks, and when the newest began. */
export function describeDay(day: string, fromMs: number): string {
  const letters = [...day]
  const failed = letters.flatMap((letter, at) => (letter === 'd' || letter === 'p' ? [at] : []))
  const newest = failed.at(-1)
  if (newest === undefined) return 'Reached in every check of the last day'
  const when = new Date(fromMs + newest * hourMs).toISOString().slice(11, 16)
  return `Checks failed in ${failed.length === 1 ? '1 hour' : `${failed.length} hours`} of the last day, last from ${when} UTC`
}

/** The bars of one letter as one path, because a list draws this for each of its rows. Empty without any. */
function barsOf(day: string, wanted: string, bar: number): string {
  return [...day]
    .flatMap((letter, at) => (letter === wanted ? [`M${at * (width + gap)} ${height - bar}h${width}v${bar}h-${width}z`] : []))
    .join('')
}

/** A bar for each hour. `day`: a letter each, oldest first: u reached, d not reached, p both, - not checked. Nothing if it was never checked. */
export function DayTicks({ day, fromMs }: { day: string; fromMs: number }) {
  if (/^-*$/.test(day)) return null
  const description = describeDay(day, fromMs)
  return (
    <span role="img" aria-label={description} title={description} className="inline-block align-middle">
      <svg aria-hidden="true" width={day.length * (width + gap) - gap} height={height} className="block">
        {looks.map(([letter, bar, fill]) => {
          const bars = barsOf(day, letter, bar)
          return bars === '' ? null : <path key={letter} d={bars} className={`${fill} forced-colors:fill-[CanvasText]`} />
        })}
      </svg>
    </span>
  )
}
