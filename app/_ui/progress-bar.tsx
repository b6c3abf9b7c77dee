import { clsx } from 'clsx'

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
