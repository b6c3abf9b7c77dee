/** What this machine must be able to do before it can hold lab hosts. */
import { installMissing, packages } from '../../run/packages.mjs'
import { run } from './command.ts'

/** The lab cannot run here; the message is one line that says why. */
export class LabMissing extends Error {}

/** Installs what is missing and tries the kernel. Throws LabMissing when hosts cannot be had on this machine. */
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
