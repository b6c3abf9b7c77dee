/** What installs updates on a server, as one bash script that runs there. */
import { readScript } from '../script'

const scripts = readScript('updates/run.bash')

/** The jobs, the same constant texts for every server. Nothing is taken back if a run dies: the next one continues. */
const jobOf = (scope: 'all' | 'security'): string => `${scripts}\n[[ \${1-} == recover ]] || main ${scope}\n`

export const updatesJob = jobOf('all')
export const securityUpdatesJob = jobOf('security')
