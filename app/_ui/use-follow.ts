'use client'

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

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
export function useFollow(box: RefObject<HTMLElement | null>, lineCount: number, scrollToEnd: () => void): Follow {
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
