/** Backup files of a server. */
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { isBackupName } from '../machines/backups'
import { serverOnHost } from '../machines/server-on-host'
import { changeMachine, followOrBegin, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'
import { checkTarget, targetOf } from './copy-target'

export const serverBackupsRoutes: SubjectRoutes<typeof serverBackups> = {
  async list(call) {
    return call.service.fleet.machine(await requireMachine(call)).backups.list()
  },

  async delete(call) {
    const names = [...new Set(call.input.ids)]
    return changeMachine(call, (machine) => machine.backups.delete(names))
  },

  async copy(call) {
    const machine = await requireMachine(call)
    const wanted = { operation: 'serverBackups.copy' } as const
    return followOrBegin(call, machine, machine.id, wanted, () =>
      call.service.siteRuns.run(machine, machine.id, wanted, async () => ({
        kind: 'copy',
        of: 'server',
        site: serverOnHost(await requireMachine(call)),
        target: targetOf(call.input),
      })),
    )
  },
}

export const serverBackupsChecks: SubjectChecks<typeof serverBackups> = {
  delete: ({ ids }) => ({
    ids: ids.length > 0 && ids.every(isBackupName) ? null : 'Send backup names as the list returns them: file names, not paths.',
  }),
  copy: checkTarget,
}
