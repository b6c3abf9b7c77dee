/** Restores a backup into empty folders. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '@/lib/settings/settings'
import { BackupError, type BackupFile, backupLayout } from './layout'
import { type Manifest, readManifest } from './manifest'

/**
 * Checks everything first, then copies. Refuses a folder of a restored half that is not empty, a damaged backup, and databases and keys from
 * different backups. Returns the names of the restored files. Throws BackupError.
 */
export async function restore(settings: Settings, from: { databases: string; keys: string }): Promise<string[]> {
  const [databases, keys] = [await readManifest(from.databases), await readManifest(from.keys)]
  if (databases.madeAt !== keys.madeAt) throw new BackupError(`${from.databases} and ${from.keys} belong to two different backups.`)
  const layout = backupLayout(settings)
  requireEmpty(Object.values(layout).flat(), [databases, keys])
  return [...put([...layout.heads, ...layout.databases], databases, from.databases), ...put(layout.keys, keys, from.keys)]
}

/** The other half may be there already: a scheduled backup is of one half. */
function requireEmpty(files: readonly BackupFile[], manifests: readonly Manifest[]): void {
  const listed = new Set(manifests.flatMap(({ files }) => files.map(({ name }) => name)))
  const folders = new Set(files.filter(({ name }) => listed.has(name)).map(({ place }) => dirname(place)))
  for (const folder of folders) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new BackupError(`The folder ${folder} is not empty. Move it away first: a restore never replaces data.`)
    }
  }
}

/** Restores only files of the layout, whatever the manifest lists. */
function put(files: readonly BackupFile[], { files: listed }: Manifest, folder: string): string[] {
  const present = files.filter(({ name }) => listed.some((file) => file.name === name))
  for (const { name, place, mode } of present) {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    copyFileSync(join(folder, name), place)
    chmodSync(place, mode)
  }
  return present.map(({ name }) => name)
}
