/** The accounts of a real machine. */
import { readScript } from '../script'

export const accountsScript = readScript(import.meta.url, 'accounts.bash')
