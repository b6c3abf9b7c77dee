/** The SFTP keys of sites on a real server. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import { absentKey, parseKeys, refuseKey } from '@/lib/service/machines/site-keys'
import type { SiteKey, SiteOnHost } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import type { PublicKey } from '@/lib/text/public-key'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { requireThere } from './names'

const readKeysScript = readScript('sites/read-keys.bash')
const addScript = readScript('sites/add-key.bash')
const removeScript = readScript('sites/remove-key.bash')

/** Exit codes of the scripts that change keys. */
const said = { refused: 66, absent: 68, busy: 73 } as const

export async function readKeys(connections: Connections, host: HostAddress, site: SiteOnHost): Promise<SiteKey[]> {
  const result = requireThere(await connections.read(host, { script: readKeysScript, values: [site.id, site.name] }))
  return parseKeys(requireDone(result, 'read the SFTP keys of the site').stdout)
}

export async function addKey(connections: Connections, host: HostAddress, site: SiteOnHost, key: PublicKey): Promise<void> {
  const refusal = refuseKey(await readKeys(connections, host, site), key)
  if (refusal) throw refusal
  const result = await connections.change(host, { script: addScript, values: [site.id, site.name, key.line, key.fingerprint] })
  requireChanged(result, 'add the key')
}

export async function removeKey(connections: Connections, host: HostAddress, site: SiteOnHost, fingerprint: string): Promise<void> {
  const result = await connections.change(host, { script: removeScript, values: [site.id, site.name, fingerprint] })
  if (result.code === said.absent) throw absentKey()
  requireChanged(result, 'remove the key')
}

function requireChanged(result: ExecResult, what: string): void {
  const { code, stdout } = requireThere(result)
  if (code === said.refused) {
    throw new MachineFailure(problem('unsuitable', { sentence: cleanText(stdout.trim().split('\n').at(-1) ?? '', 500) }))
  }
  if (code === said.busy) throw new MachineFailure(problem('busy'))
  requireDone(result, what)
}
