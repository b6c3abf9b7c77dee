/** What the bundled service reports of its own scheduled backups. Anybody on this machine may ask for it, so no API key is used. */
import 'server-only'
import { z } from 'zod'
import { findOwnService } from './address'
import { borrowAgent } from './agents'
import { startExchange } from './exchange'
import { startWatch } from './watch'

const shape = z.object({
  lateAfterMs: z
    .number()
    .int()
    .positive()
    .max(2 ** 31 - 1)
    .nullable(),
  attemptedAt: z.iso.datetime().nullable(),
  reason: z.string().max(40),
  doneAt: z.iso.datetime().nullable(),
  bytes: z.number().nonnegative(),
  failures: z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 31 - 1),
})

/** Times ISO 8601. lateAfterMs: null if no backups are scheduled. */
export type ServiceBackups = z.infer<typeof shape>

const limits = { headMs: 2000, idleMs: 2000, totalMs: 2000 }
const maxBytes = 4096

/** Null if the service does not answer, or is older and does not know. Never rejects. */
export async function askServiceBackups(): Promise<ServiceBackups | null> {
  const target = findOwnService()
  const lease = borrowAgent('backup check', target)
  const watch = startWatch(limits)
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'gatehouse' }
  const request = { origin: target.origin, path: '/api/health/backup', method: 'GET', headers, body: null } as const
  try {
    const { status, whole } = await startExchange(lease.agent, request, watch).head
    const body = await whole(maxBytes)
    return status === 200 ? shape.parse(JSON.parse(body.toString('utf8'))) : null
  } catch {
    return null
  } finally {
    watch.end()
    lease.release()
  }
}
