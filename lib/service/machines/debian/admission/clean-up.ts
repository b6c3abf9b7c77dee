/** Removes Gatehouse from a server, its SSH key last. */
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { publicKeyOf } from '@/lib/service/ssh/private-key'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { withSudoers } from './sudo'

const cleanUpScript = withSudoers(readScript('admission/clean-up.bash'))

/** Failures that mean the server is out of reach, so it cannot be cleaned up. */
const outOfReach = new Set(['unreachable', 'too_slow', 'login_failed', 'host_key_changed', 'outcome_unknown'])

/** False when the server could not be reached. Throws MachineFailure internal if it was reached but the clean-up failed. */
export async function cleanUp(connections: Connections, host: HostAddress): Promise<boolean> {
  const values = ['', host.user, publicKeyOf(host.privateKey)]
  try {
    requireDone(await connections.change(host, { script: cleanUpScript, values, timeoutSeconds: 120 }), 'be cleaned up')
    return true
  } catch (error) {
    if (error instanceof MachineFailure && outOfReach.has(error.problem.code)) return false
    throw error
  } finally {
    await connections.drop(host.id)
  }
}
