import { clsx } from 'clsx'

/** A share in a cell of a table, 0–100: the figure, and a thin bar that repeats it. Amber from 75 %, red from 90 %. Null: unknown, nothing. */
export function SmallMeter({ percent }: { percent: number | null }) {
  if (percent === null) return null
  const tone = percent < 75 ? 'bg-accent' : percent < 90 ? 'bg-warn' : 'bg-danger'
  return (
    <span className="inline-flex w-full items-center gap-2 align-middle">
      <span aria-hidden className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-chip bg-line">
        <span className={clsx('block h-full rounded-chip forced-colors:bg-[CanvasText]', tone)} style={{ width: `${percent}%` }} />
      </span>
      <span className={clsx('w-10 shrink-0 text-right text-small tabular-nums', percent < 90 ? 'text-muted' : 'font-semibold text-ink')}>
        {percent} %
      </span>
    </span>
  )
}
