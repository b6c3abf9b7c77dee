/** The script that a server runs every night, as constant text. */
import { readScript } from '../../script'
import { withTexts } from '../../sites/texts'

/** The functions of the sites' backup stay in a subshell: those of the server's backup have some of the same names. */
export const nightlyBackup = [
  '#!/bin/bash\n# Put here by Gatehouse.',
  `back_up_sites() (\n${withTexts(readScript('steps/nightly-backup/sites.bash'))})`,
  readScript('steps/nightly-backup/run.bash'),
].join('\n')
