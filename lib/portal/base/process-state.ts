/** What there is once in the whole process. Next loads a module once for each bundle, so a variable of the module would be several. */
import 'server-only'

type State = { value: unknown; stays: boolean }

const holder: { gatehouseState?: Map<string, State> } = globalThis as object

const states = (): Map<string, State> => {
  holder.gatehouseState ??= new Map()
  return holder.gatehouseState
}

type Options = {
  /** For what only its owner, or the end of the process, ends: the open database, a subscription. Tests do not forget it. */
  stays?: boolean
}

/**
 * Declares one, under a name that no other has. Answers the function that reads it: `make` runs at the first use, in
 * whichever bundle that is. Read it when it is needed and keep no copy, for tests forget it.
 */
export function processState<T>(name: string, make: () => T, { stays = false }: Options = {}): () => T {
  return () => {
    const state = states().get(name) ?? { value: make(), stays }
    states().set(name, state)
    // The name is given once, so the value is what this `make` made, or that of the same module in another bundle.
    return state.value as T
  }
}

/** For tests: all of it is as after a restart. */
export function forgetProcessState(): void {
  for (const [name, { stays }] of states()) if (!stays) states().delete(name)
}
