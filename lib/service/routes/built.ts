/** Which operations this service implements, from the handlers' table, for docs and tests. */
import { notBuilt } from './call'
import { handlers } from './table'

/** Ids of the operations whose handler is not a placeholder. */
export const builtOperationIds: ReadonlySet<string> = new Set([...handlers].filter(([, handler]) => handler !== notBuilt).map(([id]) => id))
