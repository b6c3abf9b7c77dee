/** A lab host admitted as the service does it, with everything that has to be closed. */
import { createDebian } from '@/lib/service/machines/debian/machine'
import type { Machine } from '@/lib/service/machines/machine'
import { type Connections, createConnections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { type Host, type Login, type Release, startHost } from './lab/lab'

/** The processes that serve a connection: `sshd: root@notty`, and since OpenSSH 9.8 `sshd-session: …`. For pgrep -f. */
export const sessionProcesses = '^sshd(-session)?: .*@'

export type AdmittedHost = AsyncDisposable & { host: Host; reach: HostAddress; machine: Machine; connections: Connections }

/** Admits us to a running host; `address` if it is not reached directly. */
export async function admitTo(
  host: Host,
  address: { host: string; port: number } = { host: host.ip, port: host.port },
): Promise<Omit<AdmittedHost, 'host'>> {
  const connections = createConnections()
  const debian = createDebian({ connections })
  const admission = await debian.admit({ ...address, ...host.login, hostKey: await host.hostKeyFingerprint() })
  const reach = { id: host.ip, ...address, user: host.login.user, hostKey: admission.hostKey, privateKey: admission.privateKey }
  return { reach, connections, machine: debian.machine(reach), [Symbol.asyncDispose]: connections.close }
}

export const startAdmitted = async (login: Login, release: Release = 'bookworm'): Promise<AdmittedHost> =>
  admitHost(await startHost({ login, release }))

/** The same for a host that runs; it is stopped at the end. */
export async function admitHost(host: Host): Promise<AdmittedHost> {
  const admitted = await admitTo(host)
  return {
    ...admitted,
    host,
    [Symbol.asyncDispose]: async () => {
      await admitted.connections.close()
      await host.stop()
    },
  }
}
