/** Only one process at a time upgrades an installation, rolls it back, or finishes what was interrupted. The kernel ends the claim with the process. */
import { join } from 'node:path'
import { claimDatabase } from '@/lib/database/claim'
import type { Installation } from './installation'

/** Returns the function that ends it. Throws ClaimError while another process has it, SqliteError if this user may not write there. */
export const claimInstallation = ({ root }: Installation): (() => void) => claimDatabase(join(root, 'upgrade'))
