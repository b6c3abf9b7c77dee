/** The backups of a simulated machine. */
import { backupOf, parseBackups, renderBackups } from '../backups'
import type { Backups } from '../machine'
import type { SandboxModel } from './model'

/** `visit` lets work at the model, one after the other, and keeps what it made of it. */
export function createSandboxBackups(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>): Backups {
  return {
    list: () => visit(({ backups }) => parseBackups(backups).map(backupOf)),
    delete: (names) =>
      visit((machine) => {
        machine.backups = renderBackups(parseBackups(machine.backups).filter(({ name }) => !names.includes(name)))
      }),
  }
}
