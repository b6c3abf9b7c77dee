/** Backs Gatehouse up while it runs: the databases in one folder, the keys in another. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '@/lib/database/copy'
import type { Settings } from '@/lib/settings/settings'
import { BackupError, type BackupFile, backupLayout } from './layout'
import { writeManifest } from './manifest'

/** Both must be absent or empty. Answers the names of what was written. Throws BackupError. */
export async function backUp(settings: Settings, to: { databases: string; keys: string }): Promise<string[]> {
  const layout = backupLayout(settings)
  const present = (files: readonly BackupFile[]) => files.filter(({ place }) => existsSync(place))
  const [heads, databases, keys] = [present(layout.heads), present(layout.databases), present(layout.keys)]
  if (databases.length === 0)
    throw new BackupError(`There is nothing to back up in ${settings.dataDir}. Set GATEHOUSE_DATA as for npm run up.`)
  for (const folder of [to.databases, to.keys]) makeFolder(folder)
  const madeAt = new Date()
  copyFiles(heads, to.databases)
  for (const { name, place } of databases) await copyDatabase(place, join(to.databases, name))
  copyFiles(keys, to.keys)
  const names = (files: readonly { name: string }[]) => files.map(({ name }) => name)
  await writeManifest(to.databases, names([...heads, ...databases]), madeAt)
  await writeManifest(to.keys, names(keys), madeAt)
  return names([...heads, ...databases, ...keys])
}

function copyFiles(files: readonly BackupFile[], folder: string): void {
  for (const { name, place, mode } of files) {
    copyFileSync(place, join(folder, name))
    chmodSync(join(folder, name), mode)
  }
}

/** For its owner alone. A folder with something in it is never written into. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch {
    throw new BackupError(`The folder ${folder} cannot be made.`)
  }
  if (readdirSync(folder).length > 0) throw new BackupError(`The folder ${folder} is not empty. Name one that is, or that does not exist.`)
}
