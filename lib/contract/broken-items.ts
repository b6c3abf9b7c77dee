/** Items of a list that cannot be read are left out, so that each costs its own row only. */
import { toArray } from '@/lib/contract/members'

type Path = readonly PropertyKey[]

const isMembers = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** To the innermost item of a list on the way to what is wrong; null where that is in no list. */
function itemPath(path: Path): Path | null {
  const last = path.findLastIndex((key) => typeof key === 'number')
  return last < 0 ? null : path.slice(0, last + 1)
}

/** A list of which nothing would be left stays as it is: it cannot be read. */
function dropFromList(list: unknown, paths: readonly Path[]): unknown {
  const items = toArray(list)
  if (!Array.isArray(items)) return list
  const at = (index: number) => paths.filter(([key]) => key === index)
  const stays = (_: unknown, index: number) => !at(index).some((path) => path.length === 1)
  const inner = items.map((item, index) =>
    dropItems(
      item,
      at(index)
        .map((path) => path.slice(1))
        .filter((path) => path.length > 0),
    ),
  )
  const left = inner.filter(stays)
  return left.length > 0 ? left : list
}

function dropItems(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value
  if (paths.some(([key]) => typeof key === 'number')) return dropFromList(value, paths)
  if (!isMembers(value)) return value
  const entries = Object.entries(value).map(([name, member]) => {
    return [
      name,
      dropItems(
        member,
        paths.filter(([key]) => key === name).map((path) => path.slice(1)),
      ),
    ]
  })
  return Object.fromEntries(entries)
}

/** How many items of a body were left out for these faults, and what remains. Null where a fault is in no list. */
export function dropBrokenItems(body: unknown, faults: readonly { path: Path }[]): { body: unknown; unread: number } | null {
  const paths = faults.map(({ path }) => itemPath(path))
  if (!paths.every((path) => path !== null)) return null
  const distinct = [...new Map(paths.map((path) => [JSON.stringify(path.map(String)), path])).values()]
  return { body: dropItems(body, distinct), unread: distinct.length }
}
