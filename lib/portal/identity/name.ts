/** What a person's or a team's name may be. */
import 'server-only'

/** A sentence on why the name cannot be taken, or null. */
export function refuseName(text: string): string | null {
  if (text.trim() === '') return 'This field is required.'
  if ([...text.trim()].length > 80) return 'Use at most 80 characters.'
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) ? 'Leave out invisible characters.' : null
}
