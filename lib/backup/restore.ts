/** Restores a backup into empty folders. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyDatabase, requireEmpty as requireEmptyDatabase, restoreDump } from '@/lib/database/dump'
import { describeAddress } from '@/lib/database/postgresql'
import type { PostgresqlAddress } from '@/lib/settings/database'
import type { Settings } from '@/lib/settings/settings'
import { type BackupDatabase, BackupError, type BackupFile, type BackupLayout, backupLayout, databaseNames } from './layout'
import { type Manifest, readManifest } from './manifest'

/**
 * Checks everything first, then copies. Refuses a folder or a database of a restored half that is not empty, a damaged backup, and databases and keys from
 * different backups. Returns the names of the restored files. Throws BackupError, or DatabaseError of PostgreSQL while it checks; what was restored of one half
 * before the other one failed is removed.
 */
export async function restore(settings: Settings, from: { databases: string; keys: string }): Promise<string[]> {
  const [databases, keys] = [await readManifest(from.databases), await readManifest(from.keys)]
  if (databases.madeAt !== keys.madeAt) throw new BackupError(`${from.databases} and ${from.keys} belong to two different backups.`)
  const layout = backupLayout(settings)
  const listed = namesIn(databases)
  requireSameEngine(layout.databases, listed)
  const { files, dumps } = divide(layout.databases.filter(({ name }) => listed.has(name)))
  requireEmpty([...layout.heads, ...files, ...layout.keys], [databases, keys])
  for (const { address } of dumps) await requireEmptyDatabase(address)
  const done: Done = { databases: [], files: [] }
  try {
    for (const { name, address } of dumps) {
      await restoreDump(join(from.databases, name), address)
      done.databases.push(address)
    }
    const restored = [
      ...put([...layout.heads, ...files], databases, from.databases, done),
      ...put(layout.keys, keys, from.keys, done),
      ...dumps.map(({ name }) => name),
    ]
    return orderOf(layout).filter((name) => restored.includes(name))
  } catch (cause) {
    const why = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
    throw new BackupError(`The restore could not be finished: ${why}. ${await takeBack(done)}`, { cause })
  }
}

/** What a restore has written so far, into databases and folders that were empty. */
type Done = { databases: PostgresqlAddress[]; files: string[] }

/** Resolves with a sentence that says what is there now. */
async function takeBack({ databases, files }: Done): Promise<string> {
  for (const file of files) rmSync(file, { force: true })
  const left: string[] = []
  for (const address of databases) await emptyDatabase(address).catch(() => left.push(describeAddress(address)))
  return left.length === 0
    ? 'Nothing of it is left, so it can be tried again.'
    : `The database ${left.join(' and ')} has what was restored: empty it before you try again.`
}

const namesIn = ({ files }: Manifest): Set<string> => new Set(files.map(({ name }) => name))

function requireSameEngine(databases: readonly BackupDatabase[], listed: ReadonlySet<string>): void {
  for (const { half, name } of databases) {
    const other = databaseNames.find((each) => each.startsWith(half) && each !== name)
    if (other === undefined || !listed.has(other)) continue
    const setting = half === 'portal' ? 'DATABASE_URL' : 'SERVICE_DATABASE_URL'
    throw new BackupError(
      other.endsWith('.db')
        ? `The backup has ${other}, which is a database in a file. Restore it without ${setting}, then run ./gatehouse move-to-postgresql.`
        : `The backup has ${other}, which is for PostgreSQL. Set ${setting} to an empty database there.`,
    )
  }
}

/** Files, and what pg_restore reads. */
function divide(databases: readonly BackupDatabase[]) {
  const files: BackupFile[] = []
  const dumps: { name: string; address: PostgresqlAddress }[] = []
  for (const { name, place } of databases) {
    if (typeof place === 'string') files.push({ name, place, mode: 0o600 })
    else dumps.push({ name, address: place })
  }
  return { files, dumps }
}

/** The order in which names are reported. */
const orderOf = ({ heads, databases, keys }: BackupLayout): string[] => [...heads, ...databases, ...keys].map(({ name }) => name)

/** The other half may be there already: a scheduled backup is of one half. */
function requireEmpty(files: readonly BackupFile[], manifests: readonly Manifest[]): void {
  const listed = new Set(manifests.flatMap((manifest) => [...namesIn(manifest)]))
  const folders = new Set(files.filter(({ name }) => listed.has(name)).map(({ place }) => dirname(place)))
  for (const folder of folders) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new BackupError(`The folder ${folder} is not empty. Move it away first: a restore never replaces data.`)
    }
  }
}

/** Restores only files of the layout, whatever the manifest lists. */
function put(files: readonly BackupFile[], { files: listed }: Manifest, folder: string, done: Done): string[] {
  const present = files.filter(({ name }) => listed.some((file) => file.name === name))
  for (const { name, place, mode } of present) {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    done.files.push(place)
    copyFileSync(join(folder, name), place)
    chmodSync(place, mode)
  }
  return present.map(({ name }) => name)
}
