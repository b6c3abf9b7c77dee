import { clsx } from 'clsx'

type MeterProps = {
  label: string
  /** The large figure, formatted: "31.2 GB". */
  figure: string
  /** The total: "of 40 GB". */
  of: string
  /** 0–1; null if unknown. */
  share: number | null
}

/** A large figure below what it is about. */
export const Figure = ({ label, figure, of }: Pick<MeterProps, 'label' | 'figure' | 'of'>) => (
  <>
    <p className="text-small text-muted">{label}</p>
    <p className="flex flex-wrap items-baseline gap-x-1">
      <span className="text-figure font-semibold tracking-[-0.01em]">{figure}</span>
      <span className="text-small text-muted">{of}</span>
    </p>
  </>
)

/** A figure with a thin bar under it: amber from 75 %, red from 90 %. */
export function Meter({ label, figure, of, share }: MeterProps) {
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100)
  const tone = percent === null || percent < 75 ? 'bg-accent' : percent < 90 ? 'bg-warn' : 'bg-danger'
  return (
    <div className="flex min-w-0 flex-1 flex-col px-4 py-3.5">
      <Figure label={label} figure={figure} of={of} />
      <div
        {...(percent === null
          ? { 'aria-hidden': true }
          : {
              role: 'meter',
              'aria-label': label,
              'aria-valuenow': percent,
              'aria-valuemin': 0,
              'aria-valuemax': 100,
              'aria-valuetext': `${figure} ${of}`,
            })}
        className="mt-2 h-1.5 overflow-hidden rounded-chip bg-line"
      >
        <div className={clsx('h-full rounded-chip forced-colors:bg-[CanvasText]', tone)} style={{ width: `${percent ?? 0}%` }} />
      </div>
    </div>
  )
}

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

export type BarTone = 'accent' | 'done' | 'danger' | 'warn'

/** 0–100, with the text for screen readers. */
export function ProgressBar({ percent, label, tone = 'accent' }: { percent: number; label: string; tone?: BarTone }) {
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  const tints = { accent: 'bg-accent', done: 'bg-line-strong', danger: 'bg-danger', warn: 'bg-warn' }
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-chip bg-line"
    >
      <div
        className={clsx('h-full rounded-chip transition-[width] duration-180 forced-colors:bg-[CanvasText]', tints[tone])}
        style={{ width: `${value}%` }}
      />
    </div>
  )
}
