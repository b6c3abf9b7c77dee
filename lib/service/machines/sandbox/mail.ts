/** The mail queue of a sandbox server, stored as Postfix prints it. */
import { MachineFailure, type Mail } from '../machine'
import { idOf, messageOf, parseQueue, renderQueue, withoutPostfix } from '../mail-queue'
import type { SandboxModel } from './model'

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxMail(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>): Mail {
  return {
    list: () => visit((machine) => parseQueue(requirePostfix(machine).mailQueue).map(messageOf)),
    delete: (ids) =>
      visit((machine) => {
        const gone = new Set(ids)
        const kept = parseQueue(requirePostfix(machine).mailQueue).filter((mail) => !gone.has(idOf(mail)))
        machine.mailQueue = renderQueue(kept)
      }),
  }
}

function requirePostfix(machine: SandboxModel): SandboxModel {
  if (machine.packages.postfix !== undefined) return machine
  throw new MachineFailure(withoutPostfix)
}
