/** The system users of a real server. */
import { readScript } from '../script'

export const accountsScript = readScript('facts/accounts.bash')
