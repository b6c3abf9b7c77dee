/** The work that the portal finishes before its process ends. */
import 'server-only'
import { log } from '@/lib/log'
import { writeHead } from '@/lib/portal/audit/heads/write'
import { endDatabase } from '@/lib/portal/base/db'
import { beginEnding } from '@/lib/portal/base/ending'
import { leavePortals } from '@/lib/portal/base/portals/join'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { settleAsideWrites } from '@/lib/portal/base/write-aside'

// Balancers ask every few seconds whether a portal is ready. With the work before the end of the process, less than systemd and the launcher allow.
const inOrder = { servesOnMs: 5_000, graceMs: 18_000 }

/**
 * Tells balancers and viewers that this process is about to end. servesOnMs: how long it still serves requests. graceMs: how long those in progress may
 * then take. Null on SQLite: there is no other portal, and the next process is to start soon.
 */
export function announceEnd(): typeof inOrder | null {
  if (!sharedDatabase()) return null
  beginEnding()
  return inOrder
}

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
