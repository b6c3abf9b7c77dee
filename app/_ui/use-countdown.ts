'use client'

import { useEffect, useRef, useState } from 'react'

/** Calls `onOver` once `ms` have passed in which nothing held it up. Holding pauses; letting go goes on with what was left. */
export function useCountdown(ms: number, onOver: () => void): { hold: () => void; letGo: () => void } {
  const [held, setHeld] = useState(false)
  const left = useRef(ms)
  const over = useRef(onOver)
  over.current = onOver
  useEffect(() => {
    if (held) return
    const begun = Date.now()
    const timer = setTimeout(() => over.current(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - begun
    }
  }, [held])
  return { hold: () => setHeld(true), letGo: () => setHeld(false) }
}
