/** Email of sites on a real server: its addresses, and what is read of it. Switching it is a job. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteAddress, SiteMail, SiteOnHost } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { requireThere } from './names'

const readMailScript = readScript('sites/read-mail.bash')
const saveScript = readScript('sites/save-address.bash')
const deleteScript = readScript('sites/delete-address.bash')

/** Exit codes of the scripts that change addresses. */
const said = { refused: 66, absent: 68, busy: 73 } as const

export async function readMail(connections: Connections, host: HostAddress, site: SiteOnHost): Promise<SiteMail> {
  const result = requireThere(await connections.read(host, { script: readMailScript, values: [site.id, site.name] }))
  return parseMail(requireDone(result, 'read the email of the site').stdout)
}

/** Lines of a word and values, separated by tabs. */
export function parseMail(printed: string): SiteMail {
  const lines = printed.split('\n').map((line) => line.split('\t').map((field) => cleanText(field, 1000)))
  return {
    on: lines.some(([word]) => word === 'on'),
    key: lines.find(([word]) => word === 'key')?.[1] ?? '',
    addresses: lines.flatMap(([word, user = '', destination = '']) => (word === 'address' ? [{ user, destination }] : [])),
  }
}

export async function saveAddress(
  connections: Connections,
  host: HostAddress,
  site: SiteOnHost,
  { user, destination }: SiteAddress,
  password: string,
): Promise<void> {
  const values = [site.id, site.name, user, destination, password]
  const result = requireThere(await connections.change(host, { script: saveScript, values }))
  if (result.code === said.refused) {
    throw new MachineFailure(problem('unsuitable', { sentence: cleanText(result.stdout.trim().split('\n').at(-1) ?? '', 500) }))
  }
  if (result.code === said.busy) throw new MachineFailure(problem('busy'))
  requireDone(result, 'save the address')
}

export async function deleteAddress(connections: Connections, host: HostAddress, site: SiteOnHost, user: string): Promise<void> {
  const result = requireThere(await connections.change(host, { script: deleteScript, values: [site.id, site.name, user] }))
  if (result.code === said.absent) {
    throw new MachineFailure(problem('changed_meanwhile', { sentence: `${user}@${site.domain} is not an address of this site.` }))
  }
  if (result.code === said.busy) throw new MachineFailure(problem('busy'))
  requireDone(result, 'delete the address')
}
