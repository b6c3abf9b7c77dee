'use client'

import { useNow } from '../../_ui/clock'

/** "Retrying in 12 s.", counted down. `at` is ms since 1970; null if no time was given. */
export function RetryCountdown({ at }: { at: number | null }) {
  const now = useNow(1000)
  const seconds = at === null || now === null ? 0 : Math.ceil((at - now) / 1000)
  return seconds > 0 ? <span className="whitespace-nowrap">Retrying in {seconds} s.</span> : 'Retrying automatically.'
}
