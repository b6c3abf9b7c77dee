/** The backups of a sandbox server. */
import { parseBackupList, parseBackups, renderBackups, renderTimer } from '../backups'
import type { Backups } from '../machine'
import { nextNight } from './days'
import type { SandboxModel } from './model'

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxBackups(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>, now: () => number): Backups {
  return {
    list: () =>
      visit(({ backups, backupRun, services }) => {
        const timer = services['gatehouse-backup.timer']
        const due = timer === undefined ? '' : renderTimer(timer === 'running', nextNight(now()))
        return parseBackupList(`${due}${backupRun}${backups}`)
      }),
    delete: (names) =>
      visit((machine) => {
        machine.backups = renderBackups(parseBackups(machine.backups).filter(({ name }) => !names.includes(name)))
      }),
  }
}
