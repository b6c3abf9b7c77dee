/** The host program as it is sent to servers: Gatehouse’s folder `host`, which needs no Python here. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../../host/', import.meta.url))

const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
  .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  .sort()
  .map((path) => ({ path, content: readFileSync(join(root, path)) }))

const hashOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

const hashes = files.map(({ path, content }) => `${hashOf(content)}  ${path}\n`).join('')

/** Names its folder on a server: what the list of its files’ hashes has as hash, cut. */
export const hostVersion = hashOf(hashes).slice(0, 16)

/** What put_program reads: host/program.bash. */
export const hostPackage = [...files, { path: 'SHA256SUMS', content: Buffer.from(hashes) }]
  .map(({ path, content }) => `${path}\t${content.toString('base64')}\n`)
  .join('')
