/** Turns a failed script into an error for the caller. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { ExecResult } from '@/lib/service/ssh/host-address'

/** The exit code of require_room. */
const noRoom = 28

/** The cause and the remedy if the server cannot be changed at all; null if the script failed for another reason. */
export function findHostFault({ code, stderr }: ExecResult): string | null {
  if (/Read-only file system/i.test(stderr)) return 'The server’s file system is read-only. Check its kernel log for disk errors.'
  if (code === noRoom || /No space left on device|Disk quota exceeded/i.test(stderr))
    return 'The server’s disk is full. Free some space and try again.'
  return null
}

/** The result of a script that succeeded. Otherwise throws MachineFailure internal with the script's last message. */
export function requireDone(result: ExecResult, what: string): ExecResult {
  if (result.code === 0) return result
  const fault = findHostFault(result)
  if (fault !== null) throw new MachineFailure(problem('internal', { sentence: `The server could not ${what}. ${fault}` }))
  const said = cleanText(result.stderr.trim().split('\n').at(-1) ?? '')
  throw new MachineFailure(problem('internal', { sentence: `The server could not ${what}. It said: ${said || `code ${result.code}`}` }))
}
