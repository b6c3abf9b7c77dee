/** Stores sandbox servers between calls. */
import type { SandboxStates } from '../machines/sandbox/machine'
import type { Store } from './store'

/** Stores each sandbox server's model as text next to its row. */
export function createSandboxStates(store: Store): SandboxStates {
  return {
    load: async (id) => (await store.db.sandboxState.findUnique({ where: { machineId: id } }))?.model ?? null,
    save: async (id, model) => {
      await store.db.sandboxState.updateMany({ where: { machineId: id }, data: { model } })
    },
  }
}
