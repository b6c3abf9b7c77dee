/** Whether the service of the settings answers at all, for the health check, which has no API key. */
import 'server-only'
import { findOwnService } from './address'
import { borrowAgent } from './agents'
import { startExchange } from './exchange'
import { startWatch } from './watch'

const limits = { headMs: 2000, idleMs: 2000, totalMs: 2000 }

/** Any answer counts, such as that an API key is missing, but for errors of the service or of a proxy before it. Never rejects. */
export async function probeService(): Promise<boolean> {
  const target = findOwnService()
  const lease = borrowAgent('health check', target)
  const watch = startWatch(limits)
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'gatehouse' }
  const request = { origin: target.origin, path: target.healthPath, method: 'GET', headers, body: null } as const
  try {
    const { status, body } = await startExchange(lease.agent, request, watch).head
    body().destroy()
    return status < 500
  } catch {
    return false
  } finally {
    watch.end()
    lease.release()
  }
}
