/**
 * The lab: real Debian servers for tests, each in namespaces of its own on this machine, started in about a second.
 *
 *     await using host = await startHost({ login: { kind: 'root-key' } })
 *     host.ip, host.port, host.login.user, host.login.pass     // what a user would type to add it
 *     await host.run('systemctl is-active ssh')                // as root, from outside: { code, stdout, stderr }
 *     await host.hostKeyFingerprint()                          // 'SHA256:…'
 *     await host.reboot(); await host.powerCut()
 *     await host.cutNetwork(); await host.restoreNetwork()
 *
 * Hosts can only connect to each other, to this machine and, through a proxy, to its apt sources. They need no cleaning up: when
 * the test process ends in any way, the kernel stops its hosts. Several processes and several hosts may run at once. Images and
 * packages are kept in GATEHOUSE_LAB (default /var/tmp/gatehouse-lab), which may be deleted while no host runs.
 */
import { mkdir } from 'node:fs/promises'
import { removeDeadCgroups } from './cgroups.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type Host, launchHost } from './host.ts'
import { findImage, type Release, releases } from './image.ts'
import { type Login, makeOpener } from './login.ts'
import { slotFolder } from './places.ts'
import { checkRequirements } from './requirements.ts'

export type { Host } from './host.ts'
export type { Release } from './image.ts'
export type { Login } from './login.ts'

export type HostRequest = {
  /** Debian 12 (the default) or 13. */
  release?: Release
  login: Login
  /** Its host name; default `lab`. */
  name?: string
  /** The folder it starts from; default a freshly installed Debian. */
  image?: string
}

let gateway: Promise<Gateway> | undefined
let ready: Promise<void> | undefined

/** Makes sure that hosts can be started here; installs packages and builds the images if needed. Throws LabMissing. */
export function requireLab(): Promise<void> {
  ready ??= prepare()
  return ready
}

async function prepare(): Promise<void> {
  await checkRequirements()
  await mkdir(slotFolder, { recursive: true })
  await removeDeadCgroups()
  for (const release of releases) await findImage(release)
}

/** Starts a pristine host and resolves when it accepts logins. Throws LabMissing if this machine cannot run the lab. */
export async function startHost({ release = 'bookworm', login, name, image }: HostRequest): Promise<Host> {
  await requireLab()
  gateway ??= startGateway()
  const [pristine, opener, shared] = await Promise.all([findImage(release), makeOpener(login), gateway])
  return launchHost({ image: image ?? pristine, gateway: shared, login, opener, ...(name === undefined ? {} : { name }) })
}
