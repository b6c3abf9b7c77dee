'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type LogLine, LogLineRow } from './log-line'

type Follow = {
  following: boolean
  /** Lines that arrived since following was paused. */
  unseen: number
  jump: () => void
  /** Stays where it is, as if the reader had scrolled up. */
  pause: () => void
}

const nearBottomPx = 8

/**
 * Keeps a scrolled box at its newest line until the reader scrolls up; then nothing scrolls automatically. Any upward wheel, key or drag pauses
 * before the next lines arrive; the bottom or `jump` resumes.
 */
function useFollow(box: RefObject<HTMLElement | null>, lineCount: number, scrollToEnd: () => void): Follow {
  const [pausedAt, setPausedAt] = useState<number | null>(null)
  const count = useRef(lineCount)
  const end = useRef(scrollToEnd)
  const lastTop = useRef(0)
  count.current = lineCount
  end.current = scrollToEnd

  const pause = useCallback(() => setPausedAt((present) => present ?? count.current), [])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const scrolls = () => element.scrollHeight > element.clientHeight
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && scrolls()) pause()
    }
    const onKey = (event: KeyboardEvent) => {
      if (['ArrowUp', 'PageUp', 'Home'].includes(event.key) && scrolls()) pause()
    }
    const onScroll = () => {
      const fromBottom = element.scrollHeight - element.clientHeight - element.scrollTop
      if (fromBottom <= nearBottomPx) {
        // Rows that turn out lower than estimated bring the bottom nearer; only a reader who scrolls down resumes.
        if (element.scrollTop > lastTop.current) setPausedAt(null)
      }
      // Dragging the scroll bar or a finger scrolls up without wheel or key events; growth of the log never lowers scrollTop.
      else if (element.scrollTop < lastTop.current - nearBottomPx) pause()
      lastTop.current = element.scrollTop
    }
    element.addEventListener('wheel', onWheel, { passive: true })
    element.addEventListener('keydown', onKey)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('keydown', onKey)
      element.removeEventListener('scroll', onScroll)
    }
  }, [box, pause])

  const following = pausedAt === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line
  useEffect(() => {
    if (following) end.current()
  }, [following, lineCount])

  const jump = useCallback(() => {
    setPausedAt(null)
    end.current()
  }, [])
  return { following, unseen: pausedAt === null ? 0 : Math.max(0, lineCount - pausedAt), jump, pause }
}

export type { LogLine } from './log-line'

/** A line to scroll to, by its number. Each new object scrolls, even to the same line. */
export type LogPlace = { number: number }

type LogViewProps = {
  label: string
  lines: readonly LogLine[]
  className?: string
  /** Wraps long lines; otherwise the log scrolls sideways. */
  wrap?: boolean
  search?: string
  at?: LogPlace | null
  onLink?: (line: LogLine) => void
  /** Called whenever the reader leaves the newest line or returns to it. */
  onFollowing?: (following: boolean) => void
}

/** Lines as in a terminal, dark in both themes. Follows the newest until the reader scrolls up. */
export function LogView({ label, lines, className, wrap = true, search = '', at = null, onLink, onFollowing }: LogViewProps) {
  const box = useRef<HTMLElement>(null)
  const rows = useVirtualizer<HTMLElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    getItemKey: (index) => lines[index]?.number ?? `at ${index}`,
    overscan: 20,
    initialRect: { width: 800, height: 420 },
    initialOffset: lines.length * 20,
  })
  const width = rows.scrollRect?.width
  // Measurements hold for one width and one way to wrap. Rendered lines have already reported theirs and would not report again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever one of these changes
  useEffect(() => {
    rows.measure()
    // Recomputes the positions: otherwise a height equal to the old one would count as unchanged.
    rows.getTotalSize()
    for (const line of rows.elementsCache.values()) rows.resizeItem(rows.indexFromElement(line), line.offsetHeight)
  }, [width, wrap])
  // When the oldest lines are dropped, their count stays but the newest number changes.
  const newest = Math.max(lines.length, lines.at(-1)?.number ?? 0)
  const { following, unseen, jump, pause } = useFollow(box, newest, () => {
    if (lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: 'end' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when the position to show changes
  useEffect(() => {
    const index = at ? lines.findIndex(({ number }) => number === at.number) : -1
    if (index < 0) return
    pause()
    rows.scrollToIndex(index, { align: 'center' })
  }, [at])
  useEffect(() => onFollowing?.(following), [following, onFollowing])
  const digits = String(lines.at(-1)?.number ?? '').length
  return (
    <div className="relative min-w-0">
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className={clsx('overflow-auto overscroll-contain rounded-sheet bg-terminal py-3 font-mono text-code text-terminal-ink', className)}
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const line = lines[row.index]
            return line ? (
              <div
                key={row.key}
                data-index={row.index}
                ref={rows.measureElement}
                className={clsx('absolute top-0 left-0', wrap ? 'w-full' : 'min-w-full')}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <LogLineRow
                  line={line}
                  wrap={wrap}
                  search={search}
                  current={at !== null && at.number === line.number}
                  digits={digits}
                  onLink={onLink}
                />
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
