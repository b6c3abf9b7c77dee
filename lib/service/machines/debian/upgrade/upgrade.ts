/** What brings a server and its sites up to date, as one bash script that runs there. */
import { readScript } from '../script'
import { siteScripts } from '../sites/job'
import { nightlyBackup } from '../steps/nightly-backup/script'

/** In the order of their work; each is a file here with upgrade_server_SUBJECT or upgrade_site_SUBJECT, or both. */
const subjects = ['links', 'files', 'isolation', 'guesses', 'php', 'file-server', 'units'] as const

const read = (...names: string[]) => readScript(import.meta.url, ...names.map((name) => `${name}.bash`))

const scripts = [
  siteScripts,
  read('../sites/foreign-links', '../steps/undo', '../steps/backups', 'keep', 'former', ...subjects),
  `content_backup() { cat <<'END_OF_BACKUP'\n${nightlyBackup}END_OF_BACKUP\n}`,
  `subjects='${subjects.join(' ').replaceAll('-', '_')}'`,
  read('run'),
].join('\n')

/** The jobs, the same constant texts for every server. */
export const upgradeJob = `${scripts}\nmain "\${1:-bring_up_to_date}"\n`
export const revertJob = `${scripts}\nmain "\${1:-take_upgrade_back}"\n`
