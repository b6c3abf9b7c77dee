import type { Tone } from '../../_ui/state-chip'

type Look = { tone: Tone; word: string }

const looks: Record<string, Look> = {
  untried: { tone: 'neutral', word: 'Not used yet' },
  working: { tone: 'ok', word: 'Working' },
  rejected: { tone: 'danger', word: 'Rejected' },
  locked: { tone: 'danger', word: 'Locked' },
}

/** A connection's state as a dot and a word. `answers` is false while its service gives no list. */
export function lookOfState(state: string, answers: boolean): Look {
  if (state === 'working' && !answers) return { tone: 'warn', word: 'No answer' }
  return looks[state] ?? { tone: 'neutral', word: state }
}

/** What is the matter with a key that cannot act, and what to do. */
export const adviceOf: Readonly<Record<string, string>> = {
  rejected: 'The service no longer accepts this API key. Replace the key.',
  locked: 'The API key cannot be decrypted: its stored value was changed, or the key file is the wrong one. Replace the key.',
}
