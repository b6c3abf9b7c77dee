/** Runs scripts of Gatehouse’s package on a server, and puts the package there if the server lacks it. */
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript, readShortScript } from '../script'
import { hostVersion, renderPackage } from './package'

const beginScript = readShortScript('host/begin.bash')
const putScript = readScript('host/put.bash')

/** The exit code of begin.bash if the package is not there, or was changed. */
const lacksPackage = 74

/**
 * name: a script of the package: package.ts. values: what it reads. inMemory: if the disk is full, the package is put into memory until the next boot.
 * Changes the server: the script only begins once. Throws MachineFailure.
 */
export async function runPackaged(
  connections: Connections,
  host: HostAddress,
  name: string,
  values: readonly string[],
  inMemory = false,
): Promise<ExecResult> {
  const place = inMemory ? 'memory' : ''
  const request = { script: beginScript, values: [hostVersion, place, name, ...values] }
  const result = await connections.change(host, request)
  if (result.code !== lacksPackage) return result
  await putPackage(connections, host, place)
  return connections.change(host, request)
}

/** place: `memory` if it may be put there. Throws MachineFailure. */
export async function putPackage(connections: Connections, host: HostAddress, place = ''): Promise<void> {
  const put = await connections.change(host, { script: putScript, values: [hostVersion, place, renderPackage()] })
  requireDone(put, 'take Gatehouse’s program')
}
