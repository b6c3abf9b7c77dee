'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import { RelativeTime } from '@/app/_ui/relative-time'

/** When a message arrived. The interface names no time zone, so another service's time is shown unchanged, without an age. */
export function MailTime({ at }: { at: string }) {
  return useForeign() ? at.slice(0, 19).replace('T', ' ') : <RelativeTime at={at} />
}
