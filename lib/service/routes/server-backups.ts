/** Backup files of a server. */
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { isBackupName } from '../machines/backups'
import { changeMachine, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const serverBackupsRoutes: SubjectRoutes<typeof serverBackups> = {
  async list(call) {
    return call.service.fleet.machine(await requireMachine(call)).backups.list()
  },

  async delete(call) {
    const names = [...new Set(call.input.ids)]
    return changeMachine(call, (machine) => machine.backups.delete(names))
  },
}

export const serverBackupsChecks: SubjectChecks<typeof serverBackups> = {
  delete: ({ ids }) => ({
    ids: ids.length > 0 && ids.every(isBackupName) ? null : 'Send backup names as the list returns them: file names, not paths.',
  }),
}
