/** Which subjects of kept changes a person may see, as the spine would find them. */
import 'server-only'
import { listUsableConnections, placeOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { visibleTo } from '../servers/row'
import type { Subject } from '../undoable/subject'

type Find = (actor: Actor, ids: string[]) => Promise<{ id: string }[]>

const finders: Readonly<Record<Subject['kind'], Find>> = {
  server: (actor, ids) => db().server.findMany({ where: { id: { in: ids }, ...visibleTo(actor) }, select: { id: true } }),
  site: async (actor, ids) => {
    const origin = { in: (await listUsableConnections(actor)).map(placeOf) }
    return db().site.findMany({ where: { id: { in: ids }, teamId: actor.team.id, goneAt: null, origin }, select: { id: true } })
  },
  connection: async (actor, ids) => (await listUsableConnections(actor)).filter(({ id }) => ids.includes(id)),
}

/** The ids among these that the person may see; ids are unique across the kinds. */
export async function findVisible(actor: Actor, subjects: readonly Subject[]): Promise<Set<string>> {
  const kinds = [...new Set(subjects.map(({ kind }) => kind))]
  const found = await Promise.all(
    kinds.map((kind) =>
      finders[kind](
        actor,
        subjects.flatMap((one) => (one.kind === kind ? [one.id] : [])),
      ),
    ),
  )
  return new Set(found.flat().map(({ id }) => id))
}
