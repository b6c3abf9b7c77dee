'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { useRef } from 'react'
import { useFollow } from './use-follow'

export type LogLine = { number: number | null; text: string; tone?: 'danger' | 'step' }

/** Lines as a terminal shows them, dark in both themes. Follows the newest until the reader scrolls up. */
export function LogView({ label, lines, className }: { label: string; lines: readonly LogLine[]; className?: string }) {
  const box = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    overscan: 20,
    initialRect: { width: 800, height: 420 },
    initialOffset: lines.length * 20,
  })
  const { following, unseen, jump } = useFollow(box, lines.length, () => {
    if (lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: 'end' })
  })
  return (
    <div className="relative min-w-0">
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className={clsx(
          'overflow-y-auto overscroll-contain rounded-sheet bg-terminal py-3 font-mono text-code text-terminal-ink',
          className,
        )}
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const line = lines[row.index]
            return line ? (
              <div
                key={row.key}
                data-index={row.index}
                ref={rows.measureElement}
                className={clsx(
                  'absolute top-0 left-0 flex w-full gap-3 px-3.5',
                  line.tone === 'danger' && 'bg-terminal-red/15 text-terminal-red',
                  line.tone === 'step' && 'font-semibold text-terminal-cyan',
                )}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <span
                  aria-hidden
                  className={clsx('w-8 shrink-0 text-right select-none max-tablet:hidden', line.tone !== 'danger' && 'text-terminal-muted')}
                >
                  {line.number}
                </span>
                <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{line.text || ' '}</span>
              </div>
            ) : null
          })}
        </div>
      </section>
      {following ? null : (
        <button
          type="button"
          onClick={jump}
          className="absolute bottom-3 left-1/2 inline-flex h-8 touch:h-10 -translate-x-1/2 items-center gap-1.5 rounded-chip bg-terminal-ink px-3 text-small font-semibold text-terminal shadow-float"
        >
          <ArrowDown aria-hidden size={16} strokeWidth={1.5} />
          Jump to latest{unseen > 0 ? ` (${unseen} new)` : ''}
        </button>
      )}
    </div>
  )
}
