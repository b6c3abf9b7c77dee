/** What a script that failed means to the caller. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Ran } from '@/lib/service/ssh/reach'
import { cleanText } from './facts/pairs'

/** The result of a script that did what it should. Throws MachineFailure internal with the script's last complaint otherwise. */
export function requireDone(ran: Ran, what: string): Ran {
  if (ran.code === 0) return ran
  const said = cleanText(ran.stderr.trim().split('\n').at(-1) ?? '')
  throw new MachineFailure(problem('internal', { sentence: `The server could not ${what}. It said: ${said || `code ${ran.code}`}` }))
}
