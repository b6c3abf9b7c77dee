/** The program that grants and takes back sudo, with the very line that people are told. */
import { sudoersFile, sudoersRule } from '@/lib/contract/grants'
import { readScript } from '../script'

export const sudoScript = `sudoers='${sudoersFile}'\nsudoers_rule='${sudoersRule}'\n${readScript(import.meta.url, 'sudo.bash')}`
