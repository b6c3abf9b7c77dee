'use client'

import { useNow } from '../_ui/clock'

/** "It is asked again in 12 s.", counted down. `at` is ms since 1970; null where nobody named a time. */
export function RetryCountdown({ at }: { at: number | null }) {
  const now = useNow(1000)
  const seconds = at === null || now === null ? 0 : Math.ceil((at - now) / 1000)
  return seconds > 0 ? <span className="whitespace-nowrap">It is asked again in {seconds} s.</span> : 'It is asked again by itself.'
}
