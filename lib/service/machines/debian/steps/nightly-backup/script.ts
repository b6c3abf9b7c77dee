/** The script that a server runs every night, as constant text. */
import { readScript } from '../../script'

const files = ['status.bash', 'room.bash', 'databases.bash', 'proof.bash', 'archive.bash', 'run.bash']

export const nightlyBackup = readScript(import.meta.url, ...files)
