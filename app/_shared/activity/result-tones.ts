import type { Tone } from '@/app/_ui/state-chip'
import type { Result } from '@/lib/portal/views/activity/words'

export const resultTones: Readonly<Record<Result, Tone>> = {
  done: 'done',
  failed: 'danger',
  denied: 'warn',
  asked: 'neutral',
  unknown: 'warn',
  interrupted: 'warn',
  cancelled: 'neutral',
  open: 'neutral',
  tamper: 'danger',
}
