/** How this program was started, so that it can start another one of Gatehouse the same way. */
import { dirname, join } from 'node:path'
import { type ProgramName, programs } from './programs.mjs'

/** What Node runs the program with: from the sources of a clone, or beside the other programs of a build. */
export function nodeArguments(name: ProgramName): readonly string[] {
  const own = process.argv[1] ?? ''
  return [...process.execArgv, own.endsWith('.ts') ? programs[name] : join(dirname(own), `${name}.mjs`)]
}
