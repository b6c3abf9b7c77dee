/** What scripts that allow sudo and take it back are given: exactly the line that the portal shows. */
import { sudoersFile, sudoersRule } from '@/lib/contract/admission'

export const withSudoers = (script: string): string => `sudoers='${sudoersFile}'\nsudoers_rule='${sudoersRule}'\n${script}`
