/** Backs Gatehouse up while it runs: the databases in one folder, the keys in another. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '@/lib/database/copy'
import type { Settings } from '@/lib/settings/settings'
import { BackupError, backupLayout } from './layout'
import { writeManifest } from './manifest'

/** Both must be absent or empty. Answers the names of what was written. Throws BackupError. */
export async function backUp(settings: Settings, to: { databases: string; keys: string }): Promise<string[]> {
  const layout = backupLayout(settings)
  const [databases, keys] = [layout.databases, layout.keys].map((files) => files.filter(({ place }) => existsSync(place)))
  if (!databases?.length || !keys)
    throw new BackupError(`There is nothing to back up in ${settings.dataDir}. Set GATEHOUSE_DATA as for npm run up.`)
  for (const folder of [to.databases, to.keys]) makeFolder(folder)
  const madeAt = new Date()
  for (const { name, place } of databases) await copyDatabase(place, join(to.databases, name))
  for (const { name, place, mode } of keys) {
    copyFileSync(place, join(to.keys, name))
    chmodSync(join(to.keys, name), mode)
  }
  const names = (files: readonly { name: string }[]) => files.map(({ name }) => name)
  await writeManifest(to.databases, names(databases), madeAt)
  await writeManifest(to.keys, names(keys), madeAt)
  return names([...databases, ...keys])
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
