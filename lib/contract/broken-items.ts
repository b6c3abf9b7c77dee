/** Drops list items that cannot be read, so that each affects only its own row. */
import { toArray } from '@/lib/contract/members'

type Path = readonly PropertyKey[]

const isMembers = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path to the innermost list item around a fault; null if the fault is not in a list. */
function itemPath(path: Path): Path | null {
  const last = path.findLastIndex((key) => typeof key === 'number')
  return last < 0 ? null : path.slice(0, last + 1)
}

/** Groups the rest of each path by its first key. In one pass, because every item of a long list may be broken. */
function groupByKey(paths: readonly Path[]): Map<PropertyKey, Path[]> {
  const groups = new Map<PropertyKey, Path[]>()
  for (const [key, ...rest] of paths) {
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(rest)
    else groups.set(key, [rest])
  }
  return groups
}

/** A list with no readable item stays unchanged: it cannot be read at all. */
function dropFromList(list: unknown, groups: Map<PropertyKey, Path[]>): unknown {
  const items = toArray(list)
  if (!Array.isArray(items)) return list
  const left = items.flatMap((item: unknown, index) => {
    const rests = groups.get(index) ?? []
    return rests.some((rest) => rest.length === 0) ? [] : [dropItems(item, rests)]
  })
  return left.length > 0 ? left : list
}

function dropItems(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value
  const groups = groupByKey(paths)
  if ([...groups.keys()].some((key) => typeof key === 'number')) return dropFromList(value, groups)
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dropItems(member, groups.get(name) ?? [])]))
}

/** The number of items dropped because of these faults, and the remaining body. Null if a fault is not in a list. */
export function dropBrokenItems(body: unknown, faults: readonly { path: Path }[]): { body: unknown; unreadable: number } | null {
  const paths = faults.map(({ path }) => itemPath(path))
  if (!paths.every((path) => path !== null)) return null
  const distinct = [...new Map(paths.map((path) => [JSON.stringify(path.map(String)), path])).values()]
  return { body: dropItems(body, distinct), unreadable: distinct.length }
}
