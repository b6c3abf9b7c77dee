/** What a script that failed means to the caller. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { ExecResult } from '@/lib/service/ssh/host-address'

/** What require_room ends a script with. */
const noRoom = 28

/** What the host lacks for any change, and what to do; null where the script failed for another reason. */
export function findHostFault({ code, stderr }: ExecResult): string | null {
  if (/Read-only file system/i.test(stderr)) return 'The file system of the server is read-only. Look at its kernel log for disk errors.'
  if (code === noRoom || /No space left on device|Disk quota exceeded/i.test(stderr))
    return 'The disk of the server is full. Free some space on it and try again.'
  return null
}

/** The result of a script that did what it should. Throws MachineFailure internal with the script's last complaint otherwise. */
export function requireDone(result: ExecResult, what: string): ExecResult {
  if (result.code === 0) return result
  const fault = findHostFault(result)
  if (fault !== null) throw new MachineFailure(problem('internal', { sentence: `The server could not ${what}. ${fault}` }))
  const said = cleanText(result.stderr.trim().split('\n').at(-1) ?? '')
  throw new MachineFailure(problem('internal', { sentence: `The server could not ${what}. It said: ${said || `code ${result.code}`}` }))
}
