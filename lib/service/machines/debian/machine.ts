/** The provider `debian`: Debian 12 and 13, and Ubuntu by the same steps, over SSH. */
import { problem } from '@/lib/contract/problem'
import type { Place } from '@/lib/service/machines/fleet'
import { type Admission, type FirstLogin, type Machine, MachineFailure, type MachineSummary } from '@/lib/service/machines/machine'
import type { Vitals } from '@/lib/service/machines/vitals'
import type { Connections } from '@/lib/service/ssh/connections'
import { tooSlow } from '@/lib/service/ssh/failure'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { admit } from './admission/admit'
import { cleanUp } from './admission/clean-up'
import { retireKey } from './admission/retire'
import { createDebianBackups } from './backups'
import { checkTarget } from './check-target'
import { createDebianCron } from './cron'
import { parseSummary, summaryScript } from './facts/summary'
import { parseVitals } from './facts/vitals'
import { createDebianFirewall } from './firewall'
import { setHostname } from './hostname'
import { createServerJob } from './install/job'
import { createDebianLogs } from './logs'
import { createDebianMail } from './mail'
import { pruneCopies } from './prune-copies'
import { requireDone } from './require-done'
import { readScript } from './script'
import { createDebianServices } from './services'
import { createDebianSites } from './sites'
import { createDebianUsers } from './users'

export type Debian = {
  /** Logs in for the first time and installs an SSH key; see FirstLogin. Throws MachineFailure. */
  admit(login: FirstLogin): Promise<Admission>
  /** The same for a server that is already managed, whatever happened to its present key. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  /** An admitted server. Sends nothing before the first call. */
  machine(host: HostAddress): Machine
}

/** firewallSeconds: how long a change that might lock Gatehouse out waits for confirmation before the server undoes it. */
export function createDebian({ connections, firewallSeconds = 90 }: { connections: Connections; firewallSeconds?: number }): Debian {
  return {
    admit,
    readmit: (_place, login) => admit(login),
    machine: (host) => ({
      summary: () => readSummary(connections, host),
      vitals: () => readVitals(connections, host),
      install: createServerJob(connections, host, 'install'),
      upgrade: createServerJob(connections, host, 'upgrade'),
      revertUpgrade: createServerJob(connections, host, 'revertUpgrade'),
      updates: createServerJob(connections, host, 'updates'),
      securityUpdates: createServerJob(connections, host, 'securityUpdates'),
      services: createDebianServices(connections, host),
      cron: createDebianCron(connections, host),
      setHostname: (name) => setHostname(connections, host, name),
      reboot: () => reboot(connections, host),
      retireKey: (user, publicKey) => retireKey(connections, host, user, publicKey),
      users: createDebianUsers(connections, host),
      firewall: createDebianFirewall(connections, host, firewallSeconds),
      mail: createDebianMail(connections, host),
      logs: createDebianLogs(connections, host),
      backups: createDebianBackups(connections, host),
      sites: createDebianSites(connections, host),
      checkTarget: (target) => checkTarget(connections, host, target),
      pruneCopies: (target, snapshots) => pruneCopies(connections, host, target, snapshots),
      cleanUp: () => cleanUp(connections, host),
    }),
  }
}

const newLoginMs = 15_000
const packagesInWork = 75

/** Waits two seconds, so that the answer is sent first. Starts the target because programs can inhibit `systemctl reboot`. */
const rebootScript = `
lock=$(stat -c %i /var/lib/dpkg/lock-frontend) && grep -q ":$lock " /proc/locks && exit ${packagesInWork}
systemd-run --quiet --collect --on-active=2s --timer-property=AccuracySec=100ms \\
  systemctl start reboot.target --job-mode=replace-irreversibly --no-block`

async function reboot(connections: Connections, host: HostAddress): Promise<void> {
  // The open connection may be older than the present firewall rules, so only a new login proves that Gatehouse can come back.
  await connections.onNewConnection(host, { script: ':' }, newLoginMs)
  const result = await connections.change(host, { script: rebootScript })
  if (result.code === packagesInWork) throw new MachineFailure(problem('host_locked'))
  requireDone(result, 'reboot')
}

/** How long the server may take for its summary, not counting the login, which has its own limit. */
const summaryPatienceMs = 9_000

async function readSummary(connections: Connections, host: HostAddress): Promise<MachineSummary> {
  const address = await connections.addressOf(host)
  const result = await inTime(connections.read(host, { script: summaryScript }), summaryPatienceMs)
  return parseSummary(requireDone(result, 'report its state').stdout, address)
}

const vitalsScript = readScript('facts/vitals.bash')

async function readVitals(connections: Connections, host: HostAddress): Promise<Vitals> {
  const result = await inTime(connections.read(host, { script: vitalsScript }), summaryPatienceMs)
  return parseVitals(requireDone(result, 'report its usage').stdout)
}

/** Throws MachineFailure too_slow if the work takes longer; its late result is ignored. */
async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), patienceMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
