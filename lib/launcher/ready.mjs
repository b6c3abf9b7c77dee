/** `npm run ready`: makes everything a start needs, if it changed. Plain JavaScript, because it runs before anything is installed. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configurationError } from '../exit-codes.mjs'
import { buildPortal } from './build.mjs'
import { describeChanges, findBuilt } from './changes.mjs'
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'
import { isMain } from './is-main.mjs'
import { holdFolder } from './made-folders.mjs'
import { buildPrograms } from './programs.mjs'
import { readRecorded, recordMade } from './record.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** @typedef {{ programs: string, build: string }} Made the folders that a start uses; they do not change while it runs */

/**
 * Changes to the project's folder and prepares it for a start; ends the process with one line on failure. A user who may not write there, such as
 * that of a unit, gets what was made last.
 * @param {{ portal: boolean, newest?: boolean }} what the service alone needs no built portal: its `build` is empty. newest: what was made of
 *   earlier sources is of no use
 * @returns {Promise<Made>}
 */
export async function makeReady({ portal, newest = false }) {
  process.chdir(root)
  try {
    requireNode()
    const made = isOurs() ? await make(portal) : findMade(portal, newest)
    for (const folder of Object.values(made)) if (folder) holdFolder(folder)
    return made
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return process.exit(isOurs() ? 1 : configurationError)
  }
}

/** @param {boolean} portal @returns {Promise<Made>} */
async function make(portal) {
  await installDependencies()
  await generateClients()
  const programs = await buildPrograms()
  if (!portal) return { programs, build: '' }
  const made = { programs, build: await buildPortal() }
  recordMade(made)
  return made
}

/** @param {boolean} portal @param {boolean} newest @returns {Made} */
function findMade(portal, newest) {
  const recorded = newest ? null : readRecorded()
  const changes = recorded && describeChanges(recorded)
  if (changes !== null) print(changes)
  const made = recorded ?? findBuilt()
  if (made === null) throw new Error(`Not ready to start, and this user may not write ${root}: run "npm run ready" there as its owner.`)
  return { programs: made.programs, build: portal ? made.build : '' }
}

function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Error('Gatehouse needs Node 20.19 or newer; 22 or 24 for production.')
  if (major < 22) print('Node 20 no longer gets security fixes. Gatehouse runs on it; use Node 22 or 24 for production.')
}

function isOurs() {
  try {
    accessSync(root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (isMain(import.meta.url)) await makeReady({ portal: true, newest: true })
