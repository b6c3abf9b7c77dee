/** The script that grants and revokes sudo, with exactly the line that the portal shows. */
import { sudoersFile, sudoersRule } from '@/lib/contract/grants'
import { readScript } from '../script'

export const sudoScript = `sudoers='${sudoersFile}'\nsudoers_rule='${sudoersRule}'\n${readScript(import.meta.url, 'sudo.bash')}`
