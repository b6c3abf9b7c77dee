/** The install, bringing up to date and installing updates, as a job on the server itself: started once, followed by any client, and independent of the service. */
import { problem } from '@/lib/contract/problem'
import { type InstallLine, MachineFailure, type ServerJob } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { parsePairs } from '../facts/pairs'
import { followLines } from '../follow-lines'
import { isBusy } from '../is-busy'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { installJob } from '../steps/steps'
import { securityUpdatesJob, updatesJob } from '../updates/updates'
import { revertJob, upgradeJob } from '../upgrade/upgrade'
import { parseInstallLine } from './line'

const startScript = readScript('install/start.bash')
const firewallScript = readScript('install/firewall-is-on.bash')
const watchScript = readScript('install/watch.bash')
const settleScript = readScript('install/settle.bash')

const jobs = {
  install: installJob,
  upgrade: upgradeJob,
  revertUpgrade: revertJob,
  updates: updatesJob,
  securityUpdates: securityUpdatesJob,
} as const

export function createServerJob(connections: Connections, host: HostAddress, kind: keyof typeof jobs): ServerJob {
  return {
    start: async () => {
      const cutOff = kind === 'install' && (await isCutOff(connections, host))
      const values = [kind, jobs[kind], String(host.port), cutOff ? 'cut off' : '']
      const result = await connections.change(host, { script: startScript, values })
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
