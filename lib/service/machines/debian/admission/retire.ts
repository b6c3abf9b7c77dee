/** Removes an old Gatehouse SSH key from a server that stays managed. */
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { withSudoers } from './sudo'

const retireScript = withSudoers(readScript('admission/retire.bash'))

/** Does nothing if the user or the key no longer exists. Throws MachineFailure. */
export async function retireKey(connections: Connections, host: HostAddress, user: string, publicKey: string): Promise<void> {
  requireDone(await connections.change(host, { script: retireScript, values: ['', user, publicKey] }), 'remove the old SSH key')
}
