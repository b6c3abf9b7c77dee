import { clsx } from 'clsx'

export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'neutral'

const tints: Record<Tone, string> = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  danger: 'bg-danger-bg text-danger',
  accent: 'bg-accent-soft text-accent',
  neutral: 'bg-sunken text-muted',
}

/** A dot and a word: the word carries the meaning, the colour repeats it. */
export function StateChip({ tone, word, live }: { tone: Tone; word: string; live?: boolean }) {
  return (
    <span
      className={clsx('inline-flex h-5.5 items-center gap-1.5 rounded-chip px-2 text-chip font-semibold whitespace-nowrap', tints[tone])}
    >
      <span aria-hidden className={clsx('size-1.5 rounded-chip bg-current', live && 'animate-pulse-dot')} />
      {word}
    </span>
  )
}
