/** What brings a server and its sites up to date, as one bash script that runs there. */
import { readScript } from '../script'
import { withTexts } from '../sites/texts'
import { nightlyBackup } from '../steps/nightly-backup/script'

/** In the order of their work; each is a file here with upgrade_server_SUBJECT or upgrade_site_SUBJECT, or both. */
const subjects = ['links', 'files', 'isolation', 'guesses', 'php', 'file-server', 'host', 'units'] as const

const scripts = [
  withTexts(readScript('upgrade/run.bash', ...subjects.map((subject) => `upgrade/${subject}.bash`))),
  `content_backup() { cat <<'END_OF_BACKUP'\n${nightlyBackup}END_OF_BACKUP\n}`,
  `subjects='${subjects.join(' ').replaceAll('-', '_')}'`,
].join('\n')

/** The jobs, the same constant texts for every server. */
export const upgradeJob = `${scripts}\nmain "\${1:-bring_up_to_date}"\n`
export const revertJob = `${scripts}\nmain "\${1:-take_upgrade_back}"\n`
