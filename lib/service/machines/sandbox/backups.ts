/** The backups of a simulated machine. */
import { parseBackupList, parseBackups, renderBackups, renderTimer } from '../backups'
import type { Backups } from '../machine'
import { nextNight } from './days'
import type { SandboxModel } from './model'

/** `visit` lets work at the model, one after the other, and keeps what it made of it. */
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
