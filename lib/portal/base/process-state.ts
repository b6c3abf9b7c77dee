/** State that exists once per process. Next loads a module once per bundle, so a module variable would exist several times. */
import 'server-only'

type State = { value: unknown; stays: boolean }

const holder: { gatehouseState?: Map<string, State> } = globalThis as object

const states = (): Map<string, State> => {
  holder.gatehouseState ??= new Map()
  return holder.gatehouseState
}

type Options = {
  /** For state that only its owner or the end of the process may release, such as the open database. Tests do not reset it. */
  stays?: boolean
}

/**
 * Declares state under a unique name. Returns the function that reads it; `make` runs at the first use, in whichever bundle that is.
 * Read it whenever needed and keep no copy, because tests reset it.
 */
export function processState<T>(name: string, make: () => T, { stays = false }: Options = {}): () => T {
  return () => {
    const state = states().get(name) ?? { value: make(), stays }
    states().set(name, state)
    // The name is unique, so the value was made by this `make` or by the same module in another bundle.
    return state.value as T
  }
}

/** For tests: everything is as after a restart. */
export function forgetProcessState(): void {
  for (const [name, { stays }] of states()) if (!stays) states().delete(name)
}
