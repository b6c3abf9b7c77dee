/** What installs updates on a server, as scripts that run there. */
import type { PackagedScript } from '../script'

/** Nothing is taken back if a run dies: the next one continues. */
const scriptOf = (name: string, scope: 'all' | 'security'): PackagedScript => ({
  name,
  files: ['updates/run.bash'],
  after: `[[ \${1-} == recover ]] || main ${scope}\n`,
})

/** The jobs, the same for every server. */
export const updateScripts = [scriptOf('server/updates', 'all'), scriptOf('server/securityUpdates', 'security')]
