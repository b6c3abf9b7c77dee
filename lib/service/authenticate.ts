/** Identifies the caller: compares the bearer key of a request with the stored hashes. */
import { type Caller, findCaller } from './store/api-keys'
import type { Database } from './store/store'

const bearer = /^Bearer +(\S{1,512}) *$/i

/** The caller of a request. Null for a missing, wrong or revoked key, which callers cannot tell apart. */
export async function authenticate(store: { db: Database }, authorization: string | null | undefined): Promise<Caller | null> {
  const key = bearer.exec(authorization ?? '')?.[1]
  return key === undefined ? null : findCaller(store.db, key)
}
