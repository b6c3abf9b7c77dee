/** The backups of a real machine. */
import { parseBackupList } from '@/lib/service/machines/backups'
import type { Backups } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { Reach } from '@/lib/service/ssh/reach'
import { requireDone } from './require-done'
import { readScript } from './script'

const listScript = readScript(import.meta.url, 'facts/backups.bash')
const deleteScript = readScript(import.meta.url, 'changes/delete-backups.bash')

export function createDebianBackups(connections: Connections, reach: Reach): Backups {
  return {
    async list() {
      const ran = await connections.read(reach, { script: listScript })
      return parseBackupList(requireDone(ran, 'list its backups').stdout)
    },
    async delete(names) {
      requireDone(await connections.change(reach, { script: deleteScript, values: names }), 'delete the backups')
    },
  }
}
