/** Which subjects of stored undos a user may see, by the same rules as in the spine. */
import 'server-only'
import { listUsableConnections } from '@/lib/portal/access/connections'
import { may } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { AnySubject } from '../undoable/subject'

type Find = (actor: Actor, ids: string[]) => Promise<Iterable<string>>

const finders: Readonly<Record<AnySubject['kind'], Find>> = {
  server: async (actor, ids) => (await findVisibleNames(actor, 'server', ids)).keys(),
  site: async (actor, ids) => (await findVisibleNames(actor, 'site', ids)).keys(),
  connection: async (actor, ids) => (await listUsableConnections(actor)).flatMap(({ id }) => (ids.includes(id) ? [id] : [])),
  grant: async (actor, ids) => (may(actor.role, 'team', 'change') ? ids : []),
}

/** The ids that the user may see; ids are unique across the kinds. */
export async function findVisible(actor: Actor, subjects: readonly AnySubject[]): Promise<Set<string>> {
  const kinds = [...new Set(subjects.map(({ kind }) => kind))]
  const found = await Promise.all(
    kinds.map((kind) =>
      finders[kind](
        actor,
        subjects.flatMap((one) => (one.kind === kind ? [one.id] : [])),
      ),
    ),
  )
  return new Set(found.flatMap((ids) => [...ids]))
}
