/** The script that a server runs every night, as constant text. */
import { readScript } from '../../script'

const beside = (...names: string[]) => readScript(import.meta.url, ...names.map((name) => `${name}.bash`))

/** Its functions stay in a shell of their own: those of the server's backup have some of the same names. */
const parts = ['site', 'backup-files', 'load-errors', 'logins', 'routines', 'scratch', 'check-archive', 'make-backup', 'replaced']
const sites = ['../../facts/read-crontab', ...parts.map((name) => `../../sites/${name}`)]

const files = [
  'status.bash',
  '../../sites/routines.bash',
  '../../sites/load-errors.bash',
  'room.bash',
  'databases.bash',
  'proof.bash',
  'archive.bash',
  'server.bash',
]

export const nightlyBackup = [
  readScript(import.meta.url, ...files),
  `back_up_sites() (\n${beside(...sites, 'sites')})`,
  beside('run'),
].join('\n')
