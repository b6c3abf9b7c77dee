import type { Tone } from '../../_ui/state-chip'

type Chip = { tone: Tone; label: string }

const chips: Record<string, Chip> = {
  untried: { tone: 'neutral', label: 'Not used yet' },
  working: { tone: 'ok', label: 'Working' },
  rejected: { tone: 'danger', label: 'Rejected' },
  locked: { tone: 'danger', label: 'Locked' },
}

/** A connection's state as a dot and a word. `answers` is false while its service gives no list. */
export function chipOfState(state: string, answers: boolean): Chip {
  if (state === 'working' && !answers) return { tone: 'warn', label: 'No answer' }
  return chips[state] ?? { tone: 'neutral', label: state }
}

/** What is the matter with a key that cannot act, and what to do. */
export const adviceOf: Readonly<Record<string, string>> = {
  rejected: 'The service does not accept this key any more. Replace it.',
  locked: 'The sealed key does not open: its row was changed, or its key file is not the right one. Replace the key.',
}
