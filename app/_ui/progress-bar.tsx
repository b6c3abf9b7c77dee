import { clsx } from 'clsx'

/** 0–100, with the text for screen readers. */
export function ProgressBar({
  percent,
  label,
  tone = 'accent',
}: {
  percent: number
  label: string
  tone?: 'accent' | 'ok' | 'danger' | 'warn'
}) {
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  const tints = { accent: 'bg-accent', ok: 'bg-ok', danger: 'bg-danger', warn: 'bg-warn' }
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-chip bg-line"
    >
      <div className={clsx('h-full rounded-chip transition-[width] duration-180', tints[tone])} style={{ width: `${value}%` }} />
    </div>
  )
}
