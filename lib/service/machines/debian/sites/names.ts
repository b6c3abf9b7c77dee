/** Whether the names of a site on a real server can be reached. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { NameCheck, SiteOnHost } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'

const script = readScript('sites/check-names.bash')

export async function checkNames(connections: Connections, host: HostAddress, site: SiteOnHost): Promise<NameCheck[]> {
  const names = [site.domain, ...site.aliases]
  const result = requireThere(await connections.read(host, { script, values: [site.id, site.name, site.domain, host.host, ...names] }))
  return requireDone(result, 'check the names of the site')
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', found = '', reason = ''] = line.split('\t').map((field) => cleanText(field))
      return { name, result: found === 'ready' || found === 'blocked' ? found : 'warning', reason }
    })
}

/** The exit code of a script about a site that is not on the server. */
export const isAbsent = 67

/** Throws MachineFailure changed_meanwhile. */
export function requireThere(result: ExecResult): ExecResult {
  if (result.code !== isAbsent) return result
  throw new MachineFailure(problem('changed_meanwhile', { sentence: 'The site no longer exists on the server.' }))
}
