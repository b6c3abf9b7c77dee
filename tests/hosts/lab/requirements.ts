/** What this machine must support to run lab hosts. */
import { installMissing, packages } from '../../run/packages.mjs'
import { run } from './command.ts'

/** The lab cannot run here; the message says why in one line. */
export class LabMissing extends Error {}

/** Installs missing packages and tests the kernel. Throws LabMissing if this machine cannot run hosts. */
export async function checkRequirements(): Promise<void> {
  if (process.platform !== 'linux') throw new LabMissing('it needs Linux namespaces, and this is not Linux')
  if (process.getuid?.() !== 0) throw new LabMissing('it needs root')
  const missing = installMissing(packages.hosts)
  if (missing !== null) throw new LabMissing(missing)
  const probe =
    'mount -t tmpfs lab /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/r && mount -t overlay lab -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w /mnt/r'
  const namespaces = await run('unshare', ['--mount', '--propagation', 'private', '--net', '--pid', '--fork', 'sh', '-c', probe])
  if (namespaces.code !== 0)
    throw new LabMissing(`this kernel or container forbids namespaces or overlay mounts (${namespaces.stderr.trim()})`)
}
