/** Rules for the name of a user or a team. */
import 'server-only'

/** Why the name is refused, in a sentence, or null. */
export function refuseName(text: string): string | null {
  if (text.trim() === '') return 'This field is required.'
  if ([...text.trim()].length > 80) return 'Use at most 80 characters.'
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) ? 'Leave out invisible characters.' : null
}
