/** The install, bringing up to date and installing updates, as a job on the server itself: started once, followed by any client, and independent of the service. */
import { problem } from '@/lib/contract/problem'
import { type InstallLine, MachineFailure, type ServerJob } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { parsePairs } from '../facts/pairs'
import { followLines } from '../follow-lines'
import { runPackaged } from '../host/begin'
import { isBusy } from '../is-busy'
import { requireDone } from '../require-done'
import { readScript, readShortScript } from '../script'
import { parseInstallLine } from './line'

const firewallScript = readScript('install/firewall-is-on.bash')
const watchScript = readShortScript('install/watch.bash')
const settleScript = readScript('install/settle.bash')

/** Each is a script of the package, server/KIND. */
export const serverJobKinds = ['install', 'upgrade', 'revertUpgrade', 'updates', 'securityUpdates'] as const

export function createServerJob(connections: Connections, host: HostAddress, kind: (typeof serverJobKinds)[number]): ServerJob {
  return {
    start: async () => {
      const cutOff = kind === 'install' && (await isCutOff(connections, host))
      const result = await runPackaged(connections, host, 'install/start', [kind, String(host.port), cutOff ? 'cut off' : ''])
      if (result.code === isBusy) throw new MachineFailure(problem('busy'))
      const answer = parsePairs(requireDone(result, kind === 'install' ? 'start the installation' : 'start this').stdout)
      const attached = answer.has('attached')
      return { attached, firstLine: Number(answer.get(attached ? 'attached' : 'started')) }
    },
    follow: (afterLine, signal) =>
      followLines<InstallLine>(
        {
          watch: (after) => ({ script: watchScript, values: [String(after)] }),
          settle: async (last) => {
            const result = await connections.change(host, { script: settleScript, values: [String(last)] })
            return requireDone(result, 'check this job').stdout.trim() === 'ended' ? 'ended' : 'running'
          },
          parse: parseInstallLine,
        },
        connections,
        host,
        afterLine,
        signal,
      ),
  }
}

const newLoginMs = 15_000

/** Whether Gatehouse's firewall allows the present connection but would refuse a new one. */
async function isCutOff(connections: Connections, host: HostAddress): Promise<boolean> {
  if ((await connections.read(host, { script: firewallScript })).stdout.trim() !== 'on') return false
  const isUnreachable = (error: unknown) => error instanceof MachineFailure && error.problem.code === 'unreachable'
  return connections.onNewConnection(host, { script: ':' }, newLoginMs).then(() => false, isUnreachable)
}
