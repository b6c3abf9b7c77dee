/** Backup files of a server. */
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isBackupName } from '../machines/backups'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'

export const serverBackupsRoutes: SubjectRoutes<typeof serverBackups> = {
  async list(call) {
    return call.service.fleet.machine(await requireMachine(call)).backups.list()
  },

  async delete(call) {
    const names = [...new Set(call.input.ids)]
    if (names.length === 0 || !names.every(isBackupName)) throw new Refused(notListed())
    return changeMachine(call, (machine) => machine.backups.delete(names))
  },
}

const notListed = () => problem('invalid', { fields: { ids: 'Name the backups as the list does: a file’s name, never a path.' } })
