/** The manifest in each folder of a backup: files, lengths, checksums, version. It is written last, so a folder without one is incomplete. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { readVersion } from '@/lib/version'
import { BackupError } from './layout'
import type { MasterKeys } from './master-keys'

export const manifestName = 'manifest.json'

const shape = z.object({
  format: z.literal(1),
  gatehouse: z.string(),
  madeAt: z.iso.datetime(),
  files: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })),
  // Backups of older versions do not name them.
  masterKeys: z.record(z.string(), z.array(z.string())).optional(),
})

export type Manifest = z.infer<typeof shape>

/** bytes: the length. sha256: hex. */
export type ListedFile = Manifest['files'][number]

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export const describeFile = async (name: string, file: string): Promise<ListedFile> => ({
  name,
  bytes: statSync(file).size,
  sha256: await hashFile(file),
})

export const describeContent = (name: string, content: Buffer): ListedFile => ({
  name,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

/** The text of a manifest. `madeAt` identifies the two folders of one backup as a pair. masterKeys: needed by its databases, or held. */
export function renderManifest(files: readonly ListedFile[], madeAt: Date, masterKeys: MasterKeys): string {
  const manifest: Manifest = { format: 1, gatehouse: readVersion(), madeAt: madeAt.toISOString(), files: [...files], masterKeys }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Lists the named files of the folder. */
export async function writeManifest(folder: string, names: readonly string[], madeAt: Date, masterKeys: MasterKeys): Promise<void> {
  const files = await Promise.all(names.map((name) => describeFile(name, join(folder, name))))
  writeFileSync(join(folder, manifestName), renderManifest(files, madeAt, masterKeys), { mode: 0o600 })
}

/** Reads a folder's manifest and verifies every file against it. Throws BackupError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = parseManifest(folder)
  for (const { name, sha256 } of manifest.files) {
    const found = await hashFile(join(folder, name)).catch(() => null)
    if (found === null) throw new BackupError(`${join(folder, name)} is missing or cannot be read.`)
    if (found !== sha256) throw new BackupError(`${join(folder, name)} differs from what was backed up: its checksum does not match.`)
  }
  return manifest
}

function parseManifest(folder: string): Manifest {
  try {
    return shape.parse(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')))
  } catch {
    throw new BackupError(`${folder} is not a complete backup of Gatehouse: its ${manifestName} is missing or cannot be read.`)
  }
}
