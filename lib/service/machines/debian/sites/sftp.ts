/** Sets up SFTP for the users of sites, with a new login as the proof that SSH still admits Gatehouse. */
import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { runPackaged } from '../host/begin'
import { requireDone } from '../require-done'
import { readScript } from '../script'

const confirmScript = readScript('sites/confirm-sftp.bash')
const undoScript = readScript('sites/undo-sftp.bash')

const refused = 65
const newLoginMs = 10_000
const attempts = 4

/** Does nothing if SFTP is set up. undoSeconds: in which a new login has to confirm it. Throws MachineFailure unsuitable with the reason if SSH is set up in a way that rules it out. */
export async function requireSftp(connections: Connections, host: HostAddress, undoSeconds = 90): Promise<void> {
  const result = await runPackaged(connections, host, 'sites/prepare-sftp', [String(undoSeconds), host.user])
  if (result.code === refused) throw unsuitable(cleanText(result.stdout.trim().split('\n').at(-1) ?? '', 500))
  if (requireDone(result, 'set up SFTP').stdout.trim() !== 'waiting') return
  if (await isConfirmed(connections, host)) return
  // The established connection survives what would refuse a new one.
  const undone = await connections.change(host, { script: undoScript }).catch(() => null)
  const then = undone?.code === 0 ? 'It was taken back.' : `The server takes it back automatically within ${undoSeconds} seconds.`
  throw unsuitable(`With SFTP set up, the server no longer admitted Gatehouse. ${then}`)
}

/** While SSH reloads, it refuses connections for a moment. */
async function isConfirmed(connections: Connections, host: HostAddress): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    await pause(attempt * 500)
    const result = await connections.onNewConnection(host, { script: confirmScript }, newLoginMs).catch(() => null)
    if (result) return result.code === 0
  }
  return false
}

const unsuitable = (sentence: string) => new MachineFailure(problem('unsuitable', { sentence }))
