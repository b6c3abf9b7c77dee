import type { Problem } from '@/lib/contract/problem'
import type { Tone } from '../../_ui/state-chip'

type Chip = { tone: Tone; label: string }

const chips: Record<string, Chip> = {
  untried: { tone: 'neutral', label: 'Not used yet' },
  working: { tone: 'ok', label: 'Working' },
  rejected: { tone: 'danger', label: 'Rejected' },
  locked: { tone: 'danger', label: 'Locked' },
}

/** Instead of the state of its key. */
export const frozenChip: Chip = { tone: 'warn', label: 'Frozen' }

/** A connection's state as a dot and a word. problem: why its service returns no list now; null if it does. */
export function chipOfState(state: string, problem: Pick<Problem, 'code'> | null): Chip {
  // Frozen since the page was opened: nothing was asked, so nothing failed to answer.
  if (problem?.code === 'key_frozen') return frozenChip
  if (state === 'working' && problem) return { tone: 'warn', label: 'No answer' }
  return chips[state] ?? { tone: 'neutral', label: state }
}

/** What is wrong with an unusable key, and what to do. */
export const adviceOf: Readonly<Record<string, string>> = {
  rejected: 'The service no longer accepts this API key. Replace the key.',
  locked: 'The API key cannot be decrypted: its stored value was changed, or the key file is the wrong one. Replace the key.',
}
