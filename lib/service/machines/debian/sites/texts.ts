/** What scripts write onto a server that is no bash of theirs: programs in PHP, the host program, and scripts that run without Gatehouse. */
import { hostPackage, hostVersion } from '../host/package'
import { printing, readProgram, readScript } from '../script'

const rewriting = ['names', 'addresses', 'table', 'tables', 'defines', 'configuration', 'rewrite'].map((name) => `staging/${name}.php`)

/** By the function of bash that prints it. */
const texts = {
  // A timer runs it on the server, without Gatehouse.
  content_renewal: `#!/bin/bash\n# Put here by Gatehouse.\n${readScript('sites/renew.bash')}`,
  // A unit runs it at boot, without Gatehouse.
  content_take_back: `#!/bin/bash\n# Put here by Gatehouse.\n${readScript('sites/take-back.bash')}`,
  content_rewriting: `<?php\n${readProgram(import.meta.url, ...rewriting)}`,
  content_login: readProgram(import.meta.url, 'app-login.php'),
  content_host_program: hostPackage,
  print_host_version: `${hostVersion}\n`,
} as const

/** The script after the functions that print those texts which it names. */
export function withTexts(script: string): string {
  const named = Object.entries(texts).filter(([name]) => new RegExp(`\\b${name}\\b`).test(script))
  return [...named.map(([name, text]) => printing(name, text)), script].join('\n')
}
