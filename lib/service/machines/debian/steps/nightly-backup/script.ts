/** The script that a server runs every night: a few lines that begin the host program. host/package.ts prints it. */
import { createHash } from 'node:crypto'
import { programFiles } from '../../host/program-files'
import { readScript } from '../../script'

export const nightlyFile = 'steps/nightly-backup/run.bash'

const hash = createHash('sha256')
for (const { name, content } of programFiles) hash.update(`${name}\0${content.length}\0`).update(content)
hash.update(readScript(nightlyFile))

/**
 * A line of the script, which tells whether a server backs up as this Gatehouse does. The version of the package, which the script also has, changes with the
 * script of any job.
 */
export const nightlyMark = `# Program ${hash.digest('hex').slice(0, 16)}`
