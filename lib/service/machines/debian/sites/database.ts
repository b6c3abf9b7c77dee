/** The databases of sites on a real server. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import type { SiteTable } from '@/lib/service/machines/staged'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { printing, readProgram, readScript } from '../script'
import { requireThere } from './names'
import { texts } from './texts'

const tablesScript = readScript('sites/tables.bash')
const passwordScript = [
  printing('content_app_password', readProgram(import.meta.url, 'staging/defines.php', 'set-app-password.php')),
  printing('content_login', texts.content_login),
  readScript('sites/set-database-password.bash'),
].join('\n')

/** The exit codes of set-database-password.bash. */
const said = { kept_out: 65, unwritable: 66, busy: 73 } as const

export async function readTables(connections: Connections, host: HostAddress, site: SiteOnHost): Promise<SiteTable[]> {
  const result = requireThere(await connections.read(host, { script: tablesScript, values: [site.name] }))
  if (result.truncated) throw new MachineFailure(problem('unsuitable', { sentence: 'The database has too many tables to list them here.' }))
  return requireDone(result, 'list the tables')
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', bytes = '', rows = ''] = line.split('\t')
      return { name: cleanText(Buffer.from(name, 'hex').toString('utf8')), bytes: Number(bytes) || 0, rows: Number(rows) || 0 }
    })
}

/** Resolves with the paths of the configurations that were rewritten too. */
export async function setDatabasePassword(
  connections: Connections,
  host: HostAddress,
  site: SiteOnHost,
  password: string,
): Promise<string[]> {
  const result = requireThere(
    await connections.change(host, { script: passwordScript, values: [site.id, site.name, password, site.domain] }),
  )
  if (result.code === said.busy) throw new MachineFailure(problem('busy'))
  if (result.code === said.unwritable) {
    const sentence = 'The site’s wp-config.php could not be written, so the old password stays valid.'
    throw new MachineFailure(problem('unsuitable', { sentence }))
  }
  if (result.code === said.kept_out) {
    const why = cleanText(result.stdout.trim())
    const sentence = `With the new password, the site would not get into its database by what its wp-config.php says${why && `: ${why}`}. The old password stays valid, and the file is as before.`
    throw new MachineFailure(problem('unsuitable', { sentence }))
  }
  return requireDone(result, 'change the password')
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((path) => cleanText(path))
}
