/** Taking a key of ours off a machine that goes on being ours. */
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { sudoScript } from './sudo'

const retireScript = `${sudoScript}\n${readScript(import.meta.url, 'keys.bash', 'retire.bash')}`

/** Nothing where the user or the key is not there any more. Throws MachineFailure. */
export async function retireKey(connections: Connections, host: HostAddress, user: string, publicKey: string): Promise<void> {
  requireDone(await connections.change(host, { script: retireScript, values: ['', user, publicKey] }), 'give up the old key')
}
