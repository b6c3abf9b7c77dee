import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
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
  /** The sign of a state that must not be taken for another one of the same colour. Default: a dot. */
  icon?: LucideIcon | undefined
  /** Further information after the word. */
  more?: ReactNode
  /** The reason, on hover. */
  title?: string | undefined
}

/** A sign and a word: the word carries the meaning, the colour repeats it. */
export function StateChip({ tone, label, live, icon: Icon, more, title }: StateChipProps) {
  return (
    <span
      title={title}
      className={clsx('inline-flex h-5.5 items-center gap-1.5 rounded-chip px-2 text-chip font-semibold whitespace-nowrap', tints[tone])}
    >
      {Icon ? (
        <Icon aria-hidden size={13} strokeWidth={2} className="-ml-0.5 shrink-0" />
      ) : (
        <span aria-hidden className={clsx('size-1.5 rounded-chip bg-current', live && 'animate-pulse-dot')} />
      )}
      {label}
      {more ? <span className="-ml-0.5 font-normal">{more}</span> : null}
    </span>
  )
}
