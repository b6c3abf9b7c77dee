/** The script that allows sudo and takes it back, with exactly the line that the portal shows. */
import { sudoersFile, sudoersRule } from '@/lib/contract/admission'
import { readScript } from '../script'

export const sudoScript = `sudoers='${sudoersFile}'\nsudoers_rule='${sudoersRule}'\n${readScript(import.meta.url, 'sudo.bash')}`
