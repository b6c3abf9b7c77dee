/** The script that a server runs every night, after lines that name the version of the package whose program makes the backup: host/package.ts. */
import { readScript } from '../../script'

export const nightlyBackup = readScript('steps/nightly-backup/run.bash')
