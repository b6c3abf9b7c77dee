/** The images that hosts start from, built once and kept between runs. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { mustRun } from './command.ts'
import { labFolder, layersFolder, script } from './places.ts'

/** Debian 12 and 13. */
export const releases = ['bookworm', 'trixie'] as const

export type Release = (typeof releases)[number]

/**
 * The folder of a release's pristine image; builds it if it does not exist (about 35 s). The name contains the hash of the
 * script, which lists the packages, so a changed script creates a new image. If two processes ask at once, one builds and the
 * other waits.
 */
export async function findImage(release: Release): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(script('image.sh')))
    .digest('hex')
    .slice(0, 16)
  const image = `${layersFolder}/${release}-${hash}`
  if (existsSync(image)) return image
  await mkdir(layersFolder, { recursive: true })
  await mustRun('flock', [`${labFolder}/lock`, 'bash', script('image.sh'), release, image], { timeoutMs: 900_000 })
  return image
}
