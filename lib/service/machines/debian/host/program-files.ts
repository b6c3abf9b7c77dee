/** The host program: Gatehouse’s folder `host`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TarFile } from '../../tar'

const root = fileURLToPath(new URL('../../../../../host/', import.meta.url))

/** Sorted by their paths. */
export const programFiles: readonly TarFile[] = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
  .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  .sort()
  .map((name) => ({ name, content: readFileSync(join(root, name)) }))
