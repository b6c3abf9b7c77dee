'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../_ui/button'
import { countOf, formatCount, pluralOf } from '../../_ui/count'

type BulkBarProps = {
  noun: string
  count: number
  /** How many of the selected rows the filter hides. */
  hidden: number
  onClear: () => void
  children: ReactNode
}

/**
 * The actions for all selected rows, at the bottom edge of the window. Nothing lies under it that cannot be scrolled above it, the focus does not
 * go under it, and toasts appear above it.
 */
export function BulkBar({ noun, count, hidden, onClear, children }: BulkBarProps) {
  const bar = useRef<HTMLElement>(null)
  const height = useToastRoom(bar)
  return (
    <>
      {/* Lets the last rows be scrolled above the bar. */}
      <div aria-hidden style={{ height }} />
      <section
        ref={bar}
        aria-label={`Selected ${pluralOf(noun)}`}
        className="fixed inset-x-0 bottom-0 z-10 flex animate-rise flex-wrap items-center gap-2 border-line border-t bg-surface px-4 py-2.5 shadow-float max-tablet:bottom-15 tablet:left-14 tablet:px-7 desktop:left-58"
      >
        <p role="status" className="mr-auto font-semibold">
          {countOf(count, noun)} selected
          {hidden > 0 ? <span className="font-normal text-muted"> ({formatCount(hidden)} hidden by the filter)</span> : null}
        </p>
        {children}
        <Button variant="ghost" onClick={onClear}>
          Clear
        </Button>
      </section>
    </>
  )
}

/** Keeps toasts and what is scrolled into view above the bar. Returns its own height in pixels. */
function useToastRoom(bar: { current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const root = document.documentElement.style
    const measure = () => {
      if (!bar.current) return
      const box = bar.current.getBoundingClientRect()
      setHeight(box.height)
      const room = `${Math.ceil(innerHeight - box.top) + 12}px`
      root.setProperty('--toast-room', room)
      root.scrollPaddingBottom = room
    }
    const observer = new ResizeObserver(measure)
    if (bar.current) observer.observe(bar.current)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
      root.removeProperty('--toast-room')
      root.scrollPaddingBottom = ''
    }
  }, [bar])
  return height
}
