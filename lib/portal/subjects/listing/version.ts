/** Versions of a list, so that a poll gets a few bytes as long as nothing changes. */
import 'server-only'
import { createHash } from 'node:crypto'
import { createSlices, slicesOf } from '@/lib/portal/base/turns'

/** The answer to a poll: the list with its version, or that the poll's version is still current. */
export type Versioned<List> = (List & { version: string }) | { version: string; same: true }

const writtenAtOnce = 500

/** A digest of a list's rows in their order: values that are read by position belong to a list with the same digest. */
export function orderOf(rows: readonly { id: string }[]): string {
  const hash = createHash('sha1')
  for (const { id } of rows) hash.update(`${id} `)
  return hash.digest('base64url')
}

/** The answer (Versioned) as JSON text; serialises the rows in member `name` in slices. `seen`: the caller's version, or null. */
export async function answerSince<Name extends string>(
  name: Name,
  list: Readonly<Record<Name, readonly unknown[]>> & object,
  seen: string | null,
): Promise<string> {
  const { [name]: rows, ...others } = list
  const turn = createSlices()
  const besides = JSON.stringify(others)
  const hash = createHash('sha1').update(besides)
  const pieces: string[] = []
  for (const slice of slicesOf<unknown>(rows, writtenAtOnce)) {
    const piece = JSON.stringify(slice).slice(1, -1)
    hash.update(piece)
    pieces.push(piece)
    await turn()
  }
  const version = hash.digest('base64url')
  if (version === seen) return JSON.stringify({ version, same: true } satisfies Versioned<object>)
  const rest = besides === '{}' ? '}' : `,${besides.slice(1)}`
  return `{"version":"${version}","${name}":[${pieces.join(',')}]${rest}`
}
