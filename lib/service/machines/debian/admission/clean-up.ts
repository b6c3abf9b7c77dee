/** Leaving a machine: everything of ours goes, our key last. */
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import { publicKeyOf } from '@/lib/service/ssh/private-key'
import type { Reach } from '@/lib/service/ssh/reach'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { sudoScript } from './sudo'

const cleanUpScript = `${sudoScript}\n${readScript(import.meta.url, 'keys.bash', 'clean-up.bash')}`

/** What keeps us from the machine, and so from cleaning it. */
const outOfReach = new Set(['unreachable', 'too_slow', 'login_failed', 'host_key_changed', 'outcome_unknown'])

/** False when the machine could not be reached. Throws MachineFailure internal when it could, but did not let us. */
export async function cleanUp(connections: Connections, reach: Reach): Promise<boolean> {
  const values = ['', reach.user, publicKeyOf(reach.privateKey)]
  try {
    requireDone(await connections.change(reach, { script: cleanUpScript, values, timeoutSeconds: 120 }), 'be cleaned up')
    return true
  } catch (error) {
    if (error instanceof MachineFailure && outOfReach.has(error.problem.code)) return false
    throw error
  } finally {
    await connections.drop(reach.id)
  }
}
