/** Who calls: the bearer key of a request, held against the hashes that are kept. */
import { type Caller, findCaller } from './store/api-keys'
import type { Database } from './store/store'

const bearer = /^Bearer +(\S{1,512}) *$/i

/** The caller of a request. Null for no key, a wrong or a revoked one: all the same to whoever tries. */
export async function authenticate(store: { db: Database }, authorization: string | null | undefined): Promise<Caller | null> {
  const key = bearer.exec(authorization ?? '')?.[1]
  return key === undefined ? null : findCaller(store.db, key)
}
