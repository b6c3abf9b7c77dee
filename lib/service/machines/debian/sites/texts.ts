/** What scripts write onto a server that is no bash of theirs: programs in PHP, and scripts that run without Gatehouse. */
import { readProgram, readScript } from '../script'

const rewriting = ['names', 'addresses', 'table', 'tables', 'defines', 'configuration', 'rewrite'].map((name) => `staging/${name}.php`)

/** By the function of bash that prints it: host/package.ts. */
export const texts = {
  // A timer runs it on the server, without Gatehouse.
  content_renewal: `#!/bin/bash\n# Put here by Gatehouse.\n${readScript('sites/renew.bash')}`,
  // A unit runs it at boot, without Gatehouse.
  content_take_back: `#!/bin/bash\n# Put here by Gatehouse.\n${readScript('sites/take-back.bash')}`,
  content_rewriting: `<?php\n${readProgram(import.meta.url, ...rewriting)}`,
  content_login: readProgram(import.meta.url, 'app-login.php'),
} as const
