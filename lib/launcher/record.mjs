/** Records what `npm run ready` completed last: units start it until something newer is complete, docs/decisions/063-what-was-built-is-started.md. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readInstalled } from './install.mjs'
import { isMade } from './made-folders.mjs'

const file = '.programs/ready.json'

/** @typedef {import('./ready.mjs').Made & { node: string, dependencies: string | null, at: string }} Recorded at: ISO 8601 */

/** @param {import('./ready.mjs').Made} made */
export function recordMade({ programs, build }) {
  /** @type {Recorded} */
  const recorded = { programs, build, node: process.version, dependencies: readInstalled(), at: new Date().toISOString() }
  writeFileSync(`${file}.new`, JSON.stringify(recorded))
  renameSync(`${file}.new`, file)
}

/** Null if nothing was recorded, or if it is not there any more. @returns {Recorded | null} */
export function readRecorded() {
  try {
    /** @type {Recorded} */
    const recorded = JSON.parse(readFileSync(file, 'utf8'))
    return isMade(recorded.programs) && isMade(recorded.build) ? recorded : null
  } catch {
    return null
  }
}
