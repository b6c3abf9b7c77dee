import { clsx } from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** done: something ended successfully and needs no attention. ok: something is in a good state. */
export type Tone = 'done' | 'ok' | 'warn' | 'danger' | 'accent' | 'neutral'

const tints: Record<Tone, string> = {
  done: 'text-muted',
  ok: 'text-muted',
  warn: 'px-2 bg-warn-bg text-warn',
  danger: 'px-2 bg-danger-bg text-danger',
  accent: 'px-2 bg-accent-soft text-accent',
  neutral: 'px-2 bg-sunken text-muted',
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

/** A sign and a word: the word carries the meaning, the colour repeats it. The tones done and ok have no background. */
export function StateChip({ tone, label, live, icon, more, title }: StateChipProps) {
  const Icon = icon ?? (tone === 'done' ? Check : undefined)
  return (
    <span
      title={title}
      className={clsx('inline-flex h-5.5 items-center gap-1.5 rounded-chip text-chip font-semibold whitespace-nowrap', tints[tone])}
    >
      {Icon ? (
        <Icon aria-hidden size={13} strokeWidth={2} className="-ml-0.5 shrink-0" />
      ) : (
        <span
          aria-hidden
          className={clsx(
            'size-1.5 rounded-chip forced-colors:bg-[CanvasText]',
            tone === 'ok' ? 'bg-ok' : 'bg-current',
            live && 'animate-pulse-dot',
          )}
        />
      )}
      {label}
      {more ? <span className="-ml-0.5 font-normal">{more}</span> : null}
    </span>
  )
}
