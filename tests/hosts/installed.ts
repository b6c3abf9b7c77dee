/** Hosts that Gatehouse has installed, for tests of what comes after: one per release is installed, and its disk serves all the others. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun } from './lab/command'
import { findImage, type Release } from './lab/image'
import { startHost } from './lab/lab'
import { labFolder } from './lab/places'
import { type AdmittedHost, admitHost } from './reach'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** What decides how a host is after its install. */
const sources = ['lib/service/machines', 'lib/service/ssh', 'host']

/** Starts one and admits us by root's key. The first of a release takes as long as an install. */
export async function startInstalled(release: Release): Promise<AdmittedHost> {
  const image = await findInstalled(release)
  return admitHost(await startHost({ login: { kind: 'root-key' }, release, image }))
}

/** The image of one, for startHost. The folder's name contains the hash of the code that installed it. Whoever asks meanwhile waits. */
export async function findInstalled(release: Release): Promise<string> {
  const image = `${await findImage(release)}-installed-${await hashSources()}`
  if (existsSync(image)) return image
  const install = ['node', '--import', 'tsx', fileURLToPath(new URL('keep-installed.ts', import.meta.url)), release, image]
  await mustRun('flock', [`${labFolder}/installed-${release}.lock`, ...install], { timeoutMs: 1_200_000 })
  return image
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    const files = readdirSync(join(root, source), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.endsWith('.pyc'),
    )
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
      hash.update(path.slice(root.length)).update(await readFile(path))
  }
  return hash.digest('hex').slice(0, 16)
}
