/** What this machine must be able to do before it can hold lab hosts. */
import { existsSync } from 'node:fs'
import { run } from './command.ts'

/** The lab cannot run here; the message is one line that says why. */
export class LabMissing extends Error {}

/** A program that shows the package is there, and the package that brings it. */
const needed = [
  ['/usr/bin/systemd-nspawn', 'systemd-container'],
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/share/keyrings/debian-archive-keyring.gpg', 'debian-archive-keyring'],
  ['/usr/sbin/dnsmasq', 'dnsmasq-base'],
  ['/usr/bin/ssh-keygen', 'openssh-client'],
  ['/usr/sbin/ip', 'iproute2'],
  ['/usr/bin/setpriv', 'util-linux'],
] as const

/** Installs what is missing and tries the kernel. Throws LabMissing when hosts cannot be had on this machine. */
export async function checkRequirements(): Promise<void> {
  if (process.platform !== 'linux') throw new LabMissing('it needs Linux namespaces, and this is not Linux')
  if (process.getuid?.() !== 0) throw new LabMissing('it needs root')
  await installPackages()
  const probe =
    'mount -t tmpfs lab /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/r && mount -t overlay lab -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w /mnt/r'
  const namespaces = await run('unshare', ['--mount', '--propagation', 'private', '--net', '--pid', '--fork', 'sh', '-c', probe])
  if (namespaces.code !== 0)
    throw new LabMissing(`this kernel or container forbids namespaces or overlay mounts (${namespaces.stderr.trim()})`)
}

async function installPackages(): Promise<void> {
  const missing = needed.filter(([file]) => !existsSync(file)).map(([, name]) => name)
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get'))
    throw new LabMissing(`these Debian packages are missing and there is no apt-get: ${missing.join(' ')}`)
  const install = `export DEBIAN_FRONTEND=noninteractive; apt-get update -qq; apt-get install -y -qq --no-install-recommends ${missing.join(' ')}`
  const { code, stderr } = await run('sh', ['-c', install], { timeoutMs: 600_000 })
  if (code !== 0)
    throw new LabMissing(`apt-get could not install ${missing.join(' ')} (${stderr.trim().split('\n').at(-1) ?? 'no reason given'})`)
}
