/** The script that a server runs every night, as constant text: it names the version of the host program, which makes the backup. */
import { readScript } from '../../script'
import { withTexts } from '../../sites/texts'

export const nightlyBackup = `#!/bin/bash\n# Put here by Gatehouse.\n${withTexts(readScript('steps/nightly-backup/run.bash'))}`
