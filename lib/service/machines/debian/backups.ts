/** The backups of a real server. */
import { parseBackupList } from '@/lib/service/machines/backups'
import type { Backups } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { withSentences } from './host/sentences'
import { requireDone } from './require-done'
import { readScript } from './script'

const listScript = readScript('facts/backups.bash')
const deleteScript = readScript('changes/delete-backups.bash')

export function createDebianBackups(connections: Connections, host: HostAddress): Backups {
  return {
    async list() {
      const result = await connections.read(host, { script: listScript })
      return parseBackupList(withSentences(requireDone(result, 'list its backups').stdout))
    },
    async delete(names) {
      requireDone(await connections.change(host, { script: deleteScript, values: names }), 'delete the backups')
    },
  }
}
