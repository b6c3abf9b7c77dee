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

/** The actions for all selected rows. It floats at the bottom of the window; toasts appear above it. */
export function BulkBar({ noun, count, hidden, onClear, children }: BulkBarProps) {
  const bar = useRef<HTMLElement>(null)
  const height = useToastRoom(bar)
  return (
    <>
      {/* Lets the last rows be scrolled above the bar. */}
      <div aria-hidden style={{ height }} />
      <div className="pointer-events-none fixed inset-x-0 bottom-4 z-10 max-tablet:bottom-19 tablet:left-14 desktop:left-58">
        <div className="mx-auto max-w-[1280px] px-4 tablet:px-7">
          <section
            ref={bar}
            aria-label={`Selected ${pluralOf(noun)}`}
            className="pointer-events-auto flex animate-rise flex-wrap items-center gap-2 rounded-sheet border border-line bg-surface px-4 py-2.5 shadow-float"
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
        </div>
      </div>
    </>
  )
}

/** Tells the toasts how much space the bar takes at the bottom of the window. Returns its own height in pixels. */
function useToastRoom(bar: { current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const root = document.documentElement.style
    const measure = () => {
      if (!bar.current) return
      const box = bar.current.getBoundingClientRect()
      setHeight(box.height)
      root.setProperty('--toast-room', `${Math.ceil(innerHeight - box.top) + 12}px`)
    }
    const observer = new ResizeObserver(measure)
    if (bar.current) observer.observe(bar.current)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
      root.removeProperty('--toast-room')
    }
  }, [bar])
  return height
}
