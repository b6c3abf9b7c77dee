/** Making, changing and removing accounts of a real machine. */
import { readScript } from '../script'

const read = (...names: string[]) => readScript(import.meta.url, '../facts/read-crontab.bash', 'room.bash', 'accounts.bash', ...names)

export const createAccountScript = read('create-account.bash')
export const passwordScript = read('set-password.bash')
export const removeAccountScript = read('account-uses.bash', 'remove-account.bash')

/** What the scripts end with where nothing was changed, and why. */
export const said = { gone: 67, refused: 65, running: 73, used: 74 } as const

/** One a line: programs that run, or files that use the account or its home. */
export const parseObstacles = (printed: string): string[] => printed.split('\n').filter((line) => line !== '')
