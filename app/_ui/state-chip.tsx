import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'neutral'

const tints: Record<Tone, string> = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  danger: 'bg-danger-bg text-danger',
  accent: 'bg-accent-soft text-accent',
  neutral: 'bg-sunken text-muted',
}

type StateChipProps = {
  tone: Tone
  label: string
  live?: boolean
  /** Further information after the word. */
  more?: ReactNode
  /** The reason, on hover. */
  title?: string | undefined
}

/** A dot and a word: the word carries the meaning, the colour repeats it. */
export function StateChip({ tone, label, live, more, title }: StateChipProps) {
  return (
    <span
      title={title}
      className={clsx('inline-flex h-5.5 items-center gap-1.5 rounded-chip px-2 text-chip font-semibold whitespace-nowrap', tints[tone])}
    >
      <span aria-hidden className={clsx('size-1.5 rounded-chip bg-current', live && 'animate-pulse-dot')} />
      {label}
      {more ? <span className="-ml-0.5 font-normal">{more}</span> : null}
    </span>
  )
}
