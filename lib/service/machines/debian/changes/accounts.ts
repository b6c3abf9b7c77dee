/** Creates, changes and deletes system users of a real server. */
import { readScript } from '../script'

export const createAccountScript = readScript('changes/create-account.bash')
export const passwordScript = readScript('changes/set-password.bash')
export const removeAccountScript = readScript('changes/remove-account.bash')

/** Exit codes of the scripts that mean nothing was changed. */
export const said = { gone: 67, refused: 65, running: 73, used: 74 } as const

/** One per line: running programs, or files that use the system user or its home. */
export const parseObstacles = (printed: string): string[] => printed.split('\n').filter((line) => line !== '')
