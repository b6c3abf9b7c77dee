/** The work that the portal finishes before its process ends. */
import 'server-only'
import { log } from '@/lib/log'
import { writeHead } from '@/lib/portal/audit/heads/write'
import { endDatabase } from '@/lib/portal/base/db'
import { leavePortals } from '@/lib/portal/base/portals/join'
import { settleAsideWrites } from '@/lib/portal/base/write-aside'

/** Never rejects. The caller waits for it, with its own time limit, before it ends the process. */
export async function finishWork(): Promise<void> {
  try {
    await writeHead()
    await settleAsideWrites()
    await leavePortals()
    await endDatabase()
  } catch (error) {
    log.error({ err: error }, 'the database could not be closed cleanly')
  }
}
