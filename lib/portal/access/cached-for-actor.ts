/** Caches what an actor sees. */
import 'server-only'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import type { Actor } from '@/lib/portal/identity/actor'
import { ownerOf } from './connections'
import { rightOf } from './grants/read'
import { lendingOf } from './loans/read'

/**
 * Returns what `read` returned for this actor and key, unless anything was written since, or one of their grants or loans has begun or ended:
 * these cause no write, but are compiled again then, at another time. `read` depends on nothing but the database and the actor; a held request that
 * could not be opened, because a key file could not be read, stays out of sight until the next write. Callers must not mutate the result.
 */
export async function cachedForActor<T>(actor: Actor, key: string, read: () => Promise<T>): Promise<T> {
  const [right, lending] = await Promise.all([rightOf(actor), lendingOf(actor)])
  const whose = `${actor.team.id} ${ownerOf(actor)} ${actor.role}`
  return cachedUntilWrite(`${key} ${whose} ${right.compiledAt} ${lending.compiledAt}`, read)
}
