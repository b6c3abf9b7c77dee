/** Puts the host program onto a server that lacks it. */
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress, Request } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { hostPackage, hostVersion } from './package'

const putScript = readScript('host/put.bash')

/** Scripts that start work which needs the program exit with this if it is not there, or was changed. */
const lacksProgram = 74

/** Runs a change that may need the program, which is sent only if the server says that it lacks it. Throws MachineFailure. */
export async function changeWithProgram(connections: Connections, host: HostAddress, request: Request): Promise<ExecResult> {
  const result = await connections.change(host, request)
  if (result.code !== lacksProgram) return result
  requireDone(await connections.change(host, { script: putScript, values: [hostVersion, hostPackage] }), 'take Gatehouse’s program')
  return connections.change(host, request)
}
