/** Backs up Gatehouse while it runs: the databases into one folder, the keys into another. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyPlace } from '@/lib/database/copy-place'
import { isMade } from '@/lib/database/is-made'
import type { Settings } from '@/lib/settings/settings'
import { type BackupDatabase, BackupError, type BackupFile, backupLayout } from './layout'
import { writeManifest } from './manifest'
import { findHeldKeys, findNeededKeys, listMissing, type MasterKeys } from './master-keys'

export type BackedUp = { names: string[]; missing: ReturnType<typeof listMissing> }

/**
 * Both folders must be absent or empty. Returns the names of the written files, and the master keys that the databases
 * need and no key file holds. On failure removes them, so that half a backup is never
 * mistaken for a complete one, and throws BackupError.
 */
export async function backUp(settings: Settings, to: { databases: string; keys: string }): Promise<BackedUp> {
  const layout = backupLayout(settings)
  const present = (files: readonly BackupFile[]) => files.filter(({ place }) => existsSync(place))
  const [heads, databases] = [present(layout.heads), await findMade(layout.databases)]
  if (databases.length === 0)
    throw new BackupError(`There is nothing to back up in ${settings.dataDir}. Set GATEHOUSE_DATA as for ./gatehouse up.`)
  const empty = databases.find(({ place }) => typeof place === 'string' && statSync(place).size === 0)
  if (empty) throw new BackupError(`The database ${empty.place} is empty: nothing to back up.`)
  for (const folder of [to.databases, to.keys]) makeFolder(folder)
  try {
    const madeAt = new Date()
    copyFiles(heads, to.databases)
    for (const { name, place } of databases) await copyPlace(place, join(to.databases, name))
    const needed = await findNeededKeys(to.databases, namesOf(databases))
    const copyKeys = () => copyPresentKeys(present(layout.keys), to.keys)
    let keys = copyKeys()
    // A rotation that replaced a key file between the list and the copy has kept the previous key under another name.
    if (listMissing(needed, keys.held).length > 0) keys = copyKeys()
    await writeManifest(to.databases, namesOf([...heads, ...databases]), madeAt, needed)
    await writeManifest(to.keys, keys.names, madeAt, keys.held)
    return { names: [...namesOf([...heads, ...databases]), ...keys.names], missing: listMissing(needed, keys.held) }
  } catch (cause) {
    for (const folder of [to.databases, to.keys]) emptyFolder(folder)
    throw new BackupError(
      `The backup could not be finished: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}. Nothing was saved.`,
      {
        cause,
      },
    )
  }
}

/** Those that a start has made. Rejects with DatabaseError if PostgreSQL cannot be reached. */
export async function findMade(databases: readonly BackupDatabase[]): Promise<BackupDatabase[]> {
  const made: BackupDatabase[] = []
  for (const database of databases) if (await isMade(database.place)) made.push(database)
  return made
}

/** Into the folder, which may have an earlier copy. Call it after the databases were copied: what they need then is still there. */
function copyPresentKeys(keys: readonly BackupFile[], folder: string): { names: string[]; held: MasterKeys } {
  emptyFolder(folder)
  copyFiles(keys, folder)
  const names = namesOf(keys)
  return { names, held: findHeldKeys(folder, names) }
}

const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name)

/** Empties a folder that was empty when the backup began. */
function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
}

function copyFiles(files: readonly BackupFile[], folder: string): void {
  for (const { name, place, mode } of files) {
    copyFileSync(place, join(folder, name))
    chmodSync(join(folder, name), mode)
  }
}

/** Creates a folder that only its owner can read. Refuses an existing folder with content. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch {
    throw new BackupError(`The folder ${folder} cannot be created.`)
  }
  if (readdirSync(folder).length > 0)
    throw new BackupError(`The folder ${folder} is not empty. Name an empty folder, or one that does not exist.`)
}
