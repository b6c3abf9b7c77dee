/** What a start can use that may not make anything, and what has changed since that was made. */
import { buildFolder } from './build.mjs'
import { readInstalled } from './install.mjs'
import { isMade } from './made-folders.mjs'
import { programsFolder } from './programs.mjs'

/** What the present sources would be built into, if that is there. @returns {import('./ready.mjs').Made | null} */
export function findBuilt() {
  const made = { programs: programsFolder(), build: buildFolder() }
  return isMade(made.programs) && isMade(made.build) ? made : null
}

/** What is not as it was when this was made, as one line for the operator; null if nothing is. @param {import('./record.mjs').Recorded} recorded */
export function describeChanges({ programs, build, node, dependencies, at }) {
  const changed = [
    ...(programs !== programsFolder() || build !== buildFolder() ? ['the sources'] : []),
    ...(dependencies !== readInstalled() ? ['the dependencies'] : []),
    ...(node !== process.version ? [`Node (${node} then, ${process.version} now)`] : []),
  ]
  if (changed.length === 0) return null
  const made = `This start uses what npm run ready made at ${at.slice(0, 16).replace('T', ' ')} UTC.`
  return `${made} Changed since then: ${changed.join(', ')}. Run npm run ready, then restart.`
}
