/** The real machine: Debian 12 and 13, and Ubuntu by the same steps, reached by SSH. */
import type { Place } from '@/lib/service/machines/fleet'
import type { Admission, FirstLogin, Machine, MachineSummary } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import { tooSlow } from '@/lib/service/ssh/failure'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { admit } from './admission/admit'
import { cleanUp } from './admission/clean-up'
import { retireKey } from './admission/retire'
import { createDebianBackups } from './backups'
import { createDebianCron } from './cron'
import { parseSummary, summaryScript } from './facts/summary'
import { createDebianFirewall } from './firewall'
import { setHostname } from './hostname'
import { createInstallJob } from './install/job'
import { createDebianLogs } from './logs'
import { createDebianMail } from './mail'
import { requireDone } from './require-done'
import { createDebianUsers } from './users'

export type Debian = {
  /** Logs in the first time and leaves our own key there; see FirstLogin. Throws MachineFailure. */
  admit(login: FirstLogin): Promise<Admission>
  /** The same for a machine that we have already, whatever became of the key we had. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  /** A machine that was admitted. Nothing is sent before the first call. */
  machine(host: HostAddress): Machine
}

/** firewallSeconds: how long a change that might keep us out waits to be confirmed before the machine undoes it. */
export function createDebian({ connections, firewallSeconds = 90 }: { connections: Connections; firewallSeconds?: number }): Debian {
  return {
    admit,
    readmit: (_place, login) => admit(login),
    machine: (host) => ({
      summary: () => readSummary(connections, host),
      install: createInstallJob(connections, host),
      cron: createDebianCron(connections, host),
      setHostname: (name) => setHostname(connections, host, name),
      retireKey: (user, publicKey) => retireKey(connections, host, user, publicKey),
      users: createDebianUsers(connections, host),
      firewall: createDebianFirewall(connections, host, firewallSeconds),
      mail: createDebianMail(connections, host),
      logs: createDebianLogs(connections, host),
      backups: createDebianBackups(connections, host),
      cleanUp: () => cleanUp(connections, host),
    }),
  }
}

/** How long the machine may take over its summary once we are logged in; a login has its own limit. */
const summaryPatienceMs = 9_000

async function readSummary(connections: Connections, host: HostAddress): Promise<MachineSummary> {
  const address = await connections.addressOf(host)
  const result = await inTime(connections.read(host, { script: summaryScript }), summaryPatienceMs)
  return parseSummary(requireDone(result, 'tell about itself').stdout, address)
}

/** Throws MachineFailure too_slow once the work has taken that long; what comes of it then is nobody's concern. */
async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), patienceMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
