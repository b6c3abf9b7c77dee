/** Creates, changes and deletes system users of a real server. */
import { readScript } from '../script'

const read = (...names: string[]) => readScript(import.meta.url, '../facts/read-crontab.bash', 'room.bash', 'accounts.bash', ...names)

export const createAccountScript = read('create-account.bash')
export const passwordScript = read('set-password.bash')
export const removeAccountScript = read('account-uses.bash', 'remove-account.bash')

/** Exit codes of the scripts that mean nothing was changed. */
export const said = { gone: 67, refused: 65, running: 73, used: 74 } as const

/** One per line: running programs, or files that use the system user or its home. */
export const parseObstacles = (printed: string): string[] => printed.split('\n').filter((line) => line !== '')
