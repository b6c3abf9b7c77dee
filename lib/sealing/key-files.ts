/** The key files of one half: kek.key is the current key, files named kek.*.key next to it contain others. Replaces the current one for a rotation. */
import { closeSync, constants, existsSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createKek, type Kek } from './kek'
import { createKeyFile, KeyFileError, readKeyFile } from './key-file'

/** The current key first, then those of the other files. Throws KeyFileError if a key is missing or unusable. */
export function readKeyFiles(path: string): readonly [Kek, ...Kek[]] {
  return [readKek(path), ...listOthers(path).map(readKek)]
}

function listOthers(path: string): string[] {
  const folder = dirname(path)
  const stem = basename(path, '.key')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.key') && name !== basename(path))
    .sort()
    .map((name) => join(folder, name))
}

const readKek = (file: string): Kek => createKek(readKeyFile(file))

/** What the database knows about a key. */
type KeyRow = { id: string; state: string }

/**
 * The id of the key to rotate to: the one left by an interrupted rotation, else a new one. After each step a start finds both keys. Call it only while
 * holding the database's lock: a file kek.key.new found then was left by a killed rotation and never used. old: the name that the current file gets.
 * Throws KeyFileError if an older key still exists there.
 */
export function prepareKeyFile({ current, old, rows }: { current: string; old: string; rows: readonly KeyRow[] }): string {
  rmSync(`${current}.new`, { force: true })
  const active = rows.find(({ state }) => state === 'active')
  if (active && rows.some(({ state }) => state === 'decryptOnly')) return active.id
  const { id } = readKek(current)
  return active?.id === id ? replaceKeyFile(current, old, id) : id
}

/** Copies the old key to its second name before replacing the first, so that neither is ever missing. */
function replaceKeyFile(current: string, old: string, activeId: string): string {
  if (existsSync(old) && readKek(old).id !== activeId) {
    throw new KeyFileError(`${old} holds the previous key, which is retired. Move it away first: only old backups need it.`)
  }
  const fresh = `${current}.new`
  const { id } = createKek(createKeyFile(fresh))
  if (!existsSync(old)) linkSync(current, old)
  renameSync(fresh, current)
  keepNames(dirname(current))
  return id
}

/** Syncs the folder, because the database must not name a key file that a power cut can still lose. */
function keepNames(folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
