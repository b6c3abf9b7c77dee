/** `npm run ready`: makes everything a start needs, if it changed. Plain JavaScript, because it runs before anything is installed. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPortal } from './build.mjs'
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'
import { isMain } from './is-main.mjs'
import { holdFolder } from './made-folders.mjs'
import { buildPrograms } from './programs.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** @typedef {{ programs: string, build: string }} Made the folders that a start uses; they do not change while it runs */

/**
 * Changes to the project's folder and prepares it for a start; ends the process with one line on failure.
 * @param {{ portal: boolean }} what the service alone needs no built portal: its `build` is empty
 * @returns {Promise<Made>}
 */
export async function makeReady({ portal }) {
  process.chdir(root)
  try {
    requireNode()
    await installDependencies()
    await generateClients()
    const made = { programs: await buildPrograms(), build: portal ? await buildPortal() : '' }
    for (const folder of Object.values(made)) if (folder) holdFolder(folder)
    return made
  } catch (error) {
    process.stderr.write(
      `${isOurs() ? sentenceOf(error) : `Not ready to start, and this user may not write ${root}: run "npm run ready" there as its owner.`}\n`,
    )
    return process.exit(1)
  }
}

function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Error('Gatehouse needs Node 20.19 or newer; 22 or 24 for production.')
  if (major < 22) print('Node 20 no longer gets security fixes. Gatehouse runs on it; use Node 22 or 24 for production.')
}

/** @param {unknown} error */
const sentenceOf = (error) => (error instanceof Error ? error.message : String(error))

function isOurs() {
  try {
    accessSync(root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (isMain(import.meta.url)) await makeReady({ portal: true })
