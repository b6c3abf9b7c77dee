/** Compares a release's files with its manifest. */
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { UpgradeError } from './installation'

const name = 'manifest.json'

const shape = z.object({ version: z.string(), files: z.record(z.string(), z.string()), links: z.record(z.string(), z.string()) })

/** SHA-256 of a file in hex. Rejects if it cannot be read. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function readManifest(folder: string): z.infer<typeof shape> {
  try {
    return shape.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
  } catch (cause) {
    throw new UpgradeError(`The archive is not a release of Gatehouse: its ${name} is missing or cannot be read.`, { cause })
  }
}

/** Rejects with UpgradeError unless the folder has exactly what its manifest lists, and is of that version. */
export async function checkFolder(folder: string, version: string): Promise<void> {
  const manifest = readManifest(folder)
  const broken = (file: string, why: string) => new UpgradeError(`The archive is damaged or was changed: ${file} ${why}.`)
  if (manifest.version !== version) throw broken(name, `is of version ${manifest.version}, not ${version}`)
  const left = new Map(Object.entries({ ...manifest.files, ...manifest.links }))
  for (const file of listFiles(folder)) {
    if (file === name) continue
    const path = join(folder, file)
    const expected = left.get(file)
    if (expected === undefined) throw broken(file, 'is not in its manifest')
    const isLink = lstatSync(path).isSymbolicLink()
    if (isLink !== Object.hasOwn(manifest.links, file)) throw broken(file, 'is not what its manifest says')
    if ((isLink ? readlinkSync(path) : await hashFile(path)) !== expected) throw broken(file, 'differs from its manifest')
    left.delete(file)
  }
  const [missing] = left.keys()
  if (missing !== undefined) throw broken(missing, 'is missing')
}

/** Paths within the folder of all that is no folder. Some versions of Node follow symbolic links to folders in a recursive readdir. */
function listFiles(folder: string, within = ''): string[] {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name)
    return entry.isDirectory() ? listFiles(folder, path) : [path]
  })
}
