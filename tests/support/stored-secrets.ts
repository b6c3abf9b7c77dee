/** What a thief of the database file alone would find in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { disguisesOf } from './stored-key'

/** Those of the secrets that the portal's database, or its log of writes, contains in any form, by their names. */
export function findStored({ dir }: { dir: string }, secrets: Readonly<Record<string, string>>): string[] {
  const folder = join(dir, 'data/portal')
  const files = readdirSync(folder).filter((name) => /^portal\.db(-wal)?$/.test(name))
  const stored = files.map((name) => readFileSync(join(folder, name)).toString('latin1')).join('\n')
  // A secret that is not there hides everywhere.
  const empty = Object.keys(secrets).filter((name) => (secrets[name] ?? '').length < 8)
  if (stored === '' || empty.length > 0) throw new Error(`Nothing to search, or to search for: ${empty.join(', ')}`)
  return Object.keys(secrets).filter((name) => disguisesOf(secrets[name] ?? '').some((form) => stored.includes(form)))
}
