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

/** A script of the package that may take hours; other work on the server does not wait for it. Throws MachineFailure, or CutConnection. */
export async function runPackagedLong(
  connections: Connections,
  host: HostAddress,
  name: string,
  values: readonly string[],
  timeoutSeconds: number,
): Promise<{ code: number; stdout: string }> {
  const request = { script: beginScript, values: [hostVersion, '', name, ...values], timeoutSeconds }
  const result = await collect(connections.stream(host, request, AbortSignal.timeout(timeoutSeconds * 1000 + 60_000)))
  if (result.code !== lacksPackage) return result
  await putPackage(connections, host)
  return collect(connections.stream(host, request, AbortSignal.timeout(timeoutSeconds * 1000 + 60_000)))
}

/** The end of what a script prints, and its exit code. */
async function collect(output: AsyncGenerator<string, number>): Promise<{ code: number; stdout: string }> {
  let stdout = ''
  for (;;) {
    const { done, value } = await output.next()
    if (done) return { code: value, stdout }
    stdout = (stdout + value).slice(-maxCollected)
  }
}

const maxCollected = 65_536

/** place: `memory` if it may be put there. Throws MachineFailure. */
export async function putPackage(connections: Connections, host: HostAddress, place = ''): Promise<void> {
  const put = await connections.change(host, { script: putScript, values: [hostVersion, place, renderPackage()] })
  requireDone(put, 'take Gatehouse’s program')
}
