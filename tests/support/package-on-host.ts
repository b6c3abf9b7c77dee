/** The Debian package on a host of the lab: making it, installing it, and looking at its units. */
import { spawn, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { must } from '../hosts/deployment'
import type { Host } from '../hosts/lab/lab'
import { gatewayAddress } from '../hosts/lab/network'

/** Output of a program of this machine; throws with it if it fails. */
export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`)
  return stdout.trim()
}

/** Returns the path of the package of that archive. */
export const makePackage = (archive: string): string => run('deploy/deb/build.sh', archive)

/** Packs the same programs once more, as version 99.0.0, in a folder that exists. Returns the path of the archive. */
export function asNextVersion(archive: string, folder: string): string {
  const next = join(folder, 'gatehouse-99.0.0-linux-x64')
  run('cp', '-al', archive.replace(/\.tar\.gz$/, ''), next)
  rmSync(join(next, 'VERSION'))
  writeFileSync(join(next, 'VERSION'), '99.0.0\n')
  run('tar', '-czf', `${next}.tar.gz`, '-C', folder, basename(next))
  return `${next}.tar.gz`
}

/** Copies a file of this machine to a folder of the host. */
export async function send(host: Host, file: string, to: string): Promise<void> {
  const server = createServer((socket) => spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(socket))
  await new Promise<void>((resolve) => server.listen(0, gatewayAddress, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The file cannot be sent.')
  await must(host, `cat </dev/tcp/${gatewayAddress}/${address.port} >${to}/${basename(file)}`)
  server.close()
}

/** What apt prints; nothing is asked. */
export const apt = (host: Host, command: string) => must(host, `DEBIAN_FRONTEND=noninteractive apt-get -q -y ${command} 2>&1 </dev/null`)

export const install = (host: Host, file: string) => apt(host, `install /root/${basename(file)}`)

export const show = async (host: Host, half: string, property: string) =>
  (await must(host, `systemctl show -P ${property} gatehouse-${half}`)).trim()

export const statesOf = (host: Host) => Promise.all(['service', 'portal'].map((half) => show(host, half, 'ActiveState')))

/** The version that `current` leads to. */
export const currentOf = async (host: Host) => (await must(host, 'basename $(readlink /opt/gatehouse/current)')).trim()

/** What must outlive everything but the purge that is asked for: the keys that decrypt, and both databases. */
export const dataOf = (host: Host) =>
  must(
    host,
    'cd /var/lib && sha256sum gatehouse-*/keys/*/kek.key && ls gatehouse-portal/data/portal/portal.db gatehouse-service/data/service/service.db',
  )
