/** Which servers and sites a row of the table is over. */
import 'server-only'
import { idOf, type ListedPlace } from './team'

type Kind = ListedPlace['place']['kind']

/** places: by their ids. keyIds: the connections that list them. */
export type Extent = { places: ReadonlyMap<string, ListedPlace>; keyIds: readonly string[] }

/** Servers and sites that are reached through some connections. */
export type Listed = {
  /** One of the kind, to ask what can be done at all of them; undefined if there is none. */
  sample: (kind: Kind) => ListedPlace | undefined
  /** Those of the kinds at which something can be done. */
  over: (kinds: Readonly<Record<Kind, boolean>>) => Extent
}

/** keyIds: of the connections. reaches: whether a place is reached through one of them. */
export function listThrough(
  places: readonly ListedPlace[],
  keyIds: ReadonlySet<string>,
  reaches: (listed: ListedPlace) => boolean,
): Listed {
  const listed = places.filter(reaches)
  const known = new Map<string, Extent>()
  const collect = (kinds: Readonly<Record<Kind, boolean>>): Extent => {
    const [found, used] = [new Map<string, ListedPlace>(), new Set<string>()]
    for (const each of listed) {
      if (!kinds[each.place.kind]) continue
      found.set(idOf(each.place), each)
      for (const id of each.keyIds) if (keyIds.has(id)) used.add(id)
    }
    return { places: found, keyIds: [...used] }
  }
  return {
    sample: (kind) => listed.find(({ place }) => place.kind === kind),
    over: (kinds) => {
      const key = `${kinds.server} ${kinds.site}`
      const extent = known.get(key) ?? collect(kinds)
      known.set(key, extent)
      return extent
    },
  }
}

/** By the list of all places, so that the table after a change shares what is as before. */
const shared = new WeakMap<readonly ListedPlace[], Map<string, Listed>>()

/** The same for all places; for one list of these made only once for each `through`, which says what decides about `reaches`. */
export function listAllThrough(
  places: readonly ListedPlace[],
  through: string,
  keyIds: ReadonlySet<string>,
  reaches: (listed: ListedPlace) => boolean,
): Listed {
  const known = shared.get(places) ?? new Map<string, Listed>()
  shared.set(places, known)
  const listed = known.get(through) ?? listThrough(places, keyIds, reaches)
  known.set(through, listed)
  return listed
}
