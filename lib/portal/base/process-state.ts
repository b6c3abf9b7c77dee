/** State that exists once per process. Next loads a module once per bundle, so module variables would exist several times. */
import 'server-only'

type State = { value: unknown; stays: boolean }

const holder: { gatehouseState?: Map<string, State> } = globalThis as object

const states = (): Map<string, State> => {
  holder.gatehouseState ??= new Map()
  return holder.gatehouseState
}

type Options = {
  /** Keeps the state when tests reset the rest, as for the open database, which only its owner or the end of the process may release. */
  stays?: boolean
}

/**
 * Declares state under a unique name. Returns the function that reads it; the first call, in whichever bundle, runs `make`.
 * Call it whenever the state is needed and keep no reference, because tests reset the state.
 */
export function processState<T>(name: string, make: () => T, { stays = false }: Options = {}): () => T {
  return () => {
    const state = states().get(name) ?? { value: make(), stays }
    states().set(name, state)
    // Names are unique, so the value comes from this `make`, or from the same module in another bundle.
    return state.value as T
  }
}

/** For tests: resets everything, as a restart would. */
export function forgetProcessState(): void {
  for (const [name, { stays }] of states()) if (!stays) states().delete(name)
}
