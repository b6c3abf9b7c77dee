/** The hostname of a real server: hostnamectl, the server's own line in /etc/hosts, and Postfix's name. */
import { problem } from '@/lib/contract/problem'
import { nameInHosts } from '@/lib/service/machines/hosts-file'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from './require-done'
import { readScript } from './script'

const readHostname = readScript('facts/hostname.bash')
const writeHostname = readScript('changes/hostname.bash')

/** The script's exit code if /etc/hosts has changed meanwhile. */
const changedMeanwhile = 75
/** If mail of sites needs a complete name. */
const incomplete = 76
const incompleteSentence =
  'Email of sites is on here, and other mail servers expect a complete hostname, such as server.example.org. Nothing was changed.'
const maxTries = 3

/** Throws MachineFailure changed_meanwhile if /etc/hosts keeps changing, unsuitable if mail of sites needs a complete name. */
export async function setHostname(connections: Connections, host: HostAddress, name: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { stdout } = requireDone(await connections.read(host, { script: readHostname }), 'read its hostname')
    const [former = '', before = ''] = stdout.split('\n')
    // One character per byte, because the file need not be UTF-8.
    const hosts = Buffer.from(before, 'base64').toString('latin1')
    const after = Buffer.from(nameInHosts(hosts, former.trim(), name), 'latin1').toString('base64')
    const result = await connections.change(host, { script: writeHostname, values: [name, before.trim(), after] })
    if (result.code === changedMeanwhile) continue
    if (result.code === incomplete) throw new MachineFailure(problem('unsuitable', { sentence: incompleteSentence }))
    requireDone(result, 'set its hostname')
    return
  }
  throw new MachineFailure(problem('changed_meanwhile'))
}
