import type { Limits } from '@/lib/contract/fields'
import { messageOf } from '@/lib/contract/limits'

type LimitAttributes = { maxLength?: number; minLength?: number; pattern?: string; title?: string; inputMode?: 'numeric' }

/**
 * The attributes with which a form enforces a field's limits from the contract: lengths and ranges, which apply whatever the service is.
 * Patterns are left to the service: they are the bundled one's own, and its message says more than a browser's.
 */
export function limitsOf(limits: Limits): LimitAttributes {
  const { minLength, maxLength, max } = limits
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(max !== undefined && { pattern: `[0-9]{1,${String(max).length}}`, title: messageOf(limits, 'range'), inputMode: 'numeric' }),
  }
}
