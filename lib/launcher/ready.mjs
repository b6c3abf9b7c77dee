/** `npm run ready`: makes everything a start needs, if it changed. Plain JavaScript, because it runs before anything is installed. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configurationError } from '../exit-codes.mjs'
import { buildPortal } from './build.mjs'
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'
import { isMain } from './is-main.mjs'
import { holdFolder } from './made-folders.mjs'
import { buildPrograms } from './programs.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** @typedef {{ programs: string, build: string }} Made the folders that a start uses; they do not change while it runs */

/**
 * Changes to the project's folder and prepares it for a start; ends the process with one line on failure.
 * @param {{ portal: boolean }} what the service alone needs no built portal: its `build` is empty
 * @returns {Promise<Made>}
 */
export async function makeReady({ portal }) {
  process.chdir(root)
  requireOwnFolder()
  try {
    requireNode()
    await installDependencies()
    await generateClients()
    const made = { programs: await buildPrograms(), build: portal ? await buildPortal() : '' }
    for (const folder of Object.values(made)) if (folder) holdFolder(folder)
    return made
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return process.exit(1)
  }
}

/** A clone is installed and built where it is. */
function requireOwnFolder() {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    process.stderr.write(
      `This user may not write ${root}. Start a clone as its owner; for other users, install a release: docs/running.md.\n`,
    )
    process.exit(configurationError)
  }
}

function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Error('Gatehouse needs Node 20.19 or newer; 22 or 24 for production.')
  if (major < 22) process.stdout.write('Node 20 no longer gets security fixes. Gatehouse runs on it; use Node 22 or 24 for production.\n')
}

if (isMain(import.meta.url)) await makeReady({ portal: true })
