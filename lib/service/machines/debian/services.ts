/** The services of a real server. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import { describeServices, noSuchService, type Services } from '@/lib/service/machines/services'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { parseUnits } from './facts/services'
import { isBusy } from './is-busy'
import { requireDone } from './require-done'
import { readScript } from './script'

const listScript = readScript('facts/services.bash')
const restartScript = readScript('changes/restart-service.bash')

/** Exit codes of restart-service.bash. */
const wrongConfiguration = 65
const notHere = 67
const packagesInWork = 75

export function createDebianServices(connections: Connections, host: HostAddress): Services {
  return {
    async list() {
      const { stdout } = requireDone(await connections.read(host, { script: listScript }), 'list its services')
      return describeServices(parseUnits(stdout))
    },
    async restart(unit) {
      const result = await connections.change(host, { script: restartScript, values: [unit] })
      if (result.code === notHere) throw new MachineFailure(noSuchService(unit))
      if (result.code === isBusy) throw new MachineFailure(problem('busy'))
      if (result.code === packagesInWork) throw new MachineFailure(problem('host_locked'))
      if (result.code === wrongConfiguration) {
        const sentence = `The configuration of ${unit} is wrong, so it was not restarted. The server said: ${cleanText(result.stdout.trim())}`
        throw new MachineFailure(problem('unsuitable', { sentence }))
      }
      requireDone(result, `restart ${unit}`)
    },
  }
}
