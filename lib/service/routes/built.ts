/** Which operations this service offers by now: what the handlers' table says, for docs and tests. */
import { notBuilt } from './call'
import { handlers } from './table'

/** Ids of the operations whose handler is more than a place held. */
export const builtOperationIds: ReadonlySet<string> = new Set([...handlers].filter(([, handler]) => handler !== notBuilt).map(([id]) => id))
