/** What brings a server and its sites up to date, as scripts that run there. */
import type { PackagedScript } from '../script'

/** In the order of their work; each is a file here with upgrade_server_SUBJECT or upgrade_site_SUBJECT, or both. */
const subjects = ['links', 'files', 'isolation', 'guesses', 'php', 'file-server', 'host', 'units'] as const

const scriptOf = (name: string, begin: string): PackagedScript => ({
  name,
  before: `subjects='${subjects.join(' ').replaceAll('-', '_')}'\n`,
  files: ['upgrade/run.bash', ...subjects.map((subject) => `upgrade/${subject}.bash`)],
  after: `main "\${1:-${begin}}"\n`,
})

/** The jobs, the same for every server. */
export const upgradeScripts = [scriptOf('server/upgrade', 'bring_up_to_date'), scriptOf('server/revertUpgrade', 'take_upgrade_back')]
