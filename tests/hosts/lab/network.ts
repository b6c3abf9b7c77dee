/**
 * The lab's own network: a bridge on this machine and addresses on it. Its traffic never uses another interface.
 *
 * A host's address is claimed by creating its link, which the kernel does for one process only. The link's other end lives
 * in the host's network namespace, so both disappear with the host, however it ended.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { mustRun, run } from './command.ts'

const bridge = 'lab0'
const prefix = '198.51.100'
export const gatewayAddress = `${prefix}.1`

/** The IPv6 address that goes with an address of the lab. */
export const ipv6Of = (address: string): string => `2001:db8:64::${address.split('.').at(-1)}`

/** Creates the bridge; several processes may do so at once. */
export async function raiseBridge(): Promise<void> {
  await run('ip', ['link', 'add', bridge, 'type', 'bridge', 'forward_delay', '0', 'stp_state', '0'])
  await run('ip', ['addr', 'add', `${gatewayAddress}/24`, 'dev', bridge])
  await mustRun('ip', ['link', 'set', bridge, 'up'])
  // Packets of hosts are never forwarded, whatever this machine does for other networks.
  await writeFile(`/proc/sys/net/ipv4/conf/${bridge}/forwarding`, '0')
  // If the bridge is gone, traffic to a lab host must fail instead of leaving by the default route.
  await mustRun('ip', ['route', 'replace', 'unreachable', `${prefix}.0/24`, 'metric', '4000'])
}

export type Link = { address: string; cut(): Promise<void>; restore(): Promise<void>; exists(): boolean }

/** Links the network namespace of a process to the bridge as its `eth0` and returns the address claimed for it. */
export async function linkProcess(pid: number): Promise<Link> {
  const count = 230
  for (let step = 0, at = pid % count; step < count; step++, at = (at + 1) % count) {
    const octet = 20 + at
    const name = `lv${octet}`
    // The hardware address is derived from the number, so that neighbours' caches stay valid when a number is used again.
    const mac = `02:00:c6:33:64:${octet.toString(16).padStart(2, '0')}`
    const { code, stderr } = await run('ip', [
      'link',
      'add',
      name,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'address',
      mac,
      'netns',
      String(pid),
    ])
    if (code === 0) {
      await mustRun('ip', ['link', 'set', name, 'master', bridge, 'up'])
      return {
        address: `${prefix}.${octet}`,
        cut: async () => void (await mustRun('ip', ['link', 'set', name, 'down'])),
        restore: async () => void (await mustRun('ip', ['link', 'set', name, 'up'])),
        exists: () => existsSync(`/sys/class/net/${name}`),
      }
    }
    if (!stderr.includes('File exists')) throw new Error(`The lab could not make the link ${name}: ${stderr.trim()}`)
  }
  throw new Error(`All ${count} addresses of the lab are taken.`)
}
