/** The real machine: Debian 12 and 13, and Ubuntu by the same steps, reached by SSH. */
import type { Admission, FirstLogin, Machine, MachineSummary } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { Reach } from '@/lib/service/ssh/reach'
import { admit } from './admission/admit'
import { cleanUp } from './admission/clean-up'
import { parseSummary, summaryScript } from './facts/summary'
import { createInstallJob } from './install/job'
import { requireDone } from './require-done'

export type Debian = {
  /** Logs in the first time and leaves our own key there; see FirstLogin. Throws MachineFailure. */
  admit(login: FirstLogin): Promise<Admission>
  /** A machine that was admitted. Nothing is sent before the first call. */
  machine(reach: Reach): Machine
}

export function createDebian({ connections }: { connections: Connections }): Debian {
  return {
    admit,
    machine: (reach) => ({
      summary: () => readSummary(connections, reach),
      install: createInstallJob(connections, reach),
      cleanUp: () => cleanUp(connections, reach),
    }),
  }
}

async function readSummary(connections: Connections, reach: Reach): Promise<MachineSummary> {
  const ran = await connections.read(reach, { script: summaryScript })
  return parseSummary(requireDone(ran, 'tell about itself').stdout, await connections.addressOf(reach))
}
