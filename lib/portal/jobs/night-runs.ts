/** Jobs for what a service began at night: nobody started them, and they are watched like any other. */
import 'server-only'
import { contract } from '@/lib/contract'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { processLease } from '@/lib/portal/base/portals/lease'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import { type NightRun, takeNightRuns } from '@/lib/portal/subjects/findings/night-runs'
import { startRelay } from './relay/relay'

const everyMs = 15_000
/** A service that named another run at each check would fill Jobs and Activity. The bundled one begins none within a week. */
const againMs = 20 * 3_600_000

/** A failure is logged; the next check of the server notes the run again. */
export function followNightRunsRegularly(): void {
  setInterval(() => void followNightRuns(), everyMs).unref()
}

/** Follows each run that checks have noted and that has no job yet, from its first line, also if it has ended. */
export async function followNightRuns(): Promise<void> {
  for (const run of takeNightRuns()) {
    try {
      await follow(run)
    } catch (err) {
      log.error({ err, serverId: run.serverId }, 'what a service began at night could not be followed')
    }
  }
}

async function follow({ serverId, connectionId, run }: NightRun): Promise<void> {
  const operation = contract.servers.upgrade
  const known = [{ nightRun: run }, { NOT: { nightRun: '' }, startedAt: { gt: new Date(Date.now() - againMs) } }]
  if ((await db().job.count({ where: { serverId, OR: known } })) > 0) return
  const [server, connection] = await Promise.all([
    db().server.findUnique({ where: { id: serverId } }),
    db().connection.findUnique({ where: { id: connectionId } }),
  ])
  // Only such a service takes up a run without starting it.
  if (!server || !connection?.extensions || connection.teamId !== server.teamId) return
  const request = prepareRequest(operation, { connection, server, pathParameters: { server_id: server.upstreamId } }, {})
  if (!request.ok) return
  const jobId = createOpaqueId()
  if (!(await claim(jobId, { serverId, connectionId, run }, server))) return
  await recordAudit({
    requestId: jobId,
    teamId: server.teamId,
    actor: { kind: 'gatehouse' },
    action: operation.id,
    object: { kind: 'server', id: serverId },
    connectionId,
    stage: 'intent',
    outcome: 'asked',
    detail: { name: server.name },
  })
  log.info({ jobId, operation: operation.id }, 'job of the night found')
  void startRelay({ jobId, operation, request: request.data, connectionId, startsUntil: 0 }, 'resume')
}

/** False if another process of the portal, or the page of somebody, has it. */
async function claim(jobId: string, { serverId, connectionId, run }: NightRun, server: { teamId: string; name: string }): Promise<boolean> {
  const now = new Date()
  return db().$transaction(async (tx) => {
    // This write takes SQLite’s write lock, so the following read is current.
    await tx.job.create({
      data: {
        id: jobId,
        teamId: server.teamId,
        operation: contract.servers.upgrade.id,
        serverId,
        connectionId,
        nightRun: run,
        targetName: server.name,
        state: 'running',
        lease: processLease(),
        startedAt: now,
        heardAt: now,
      },
    })
    const where = { serverId, operation: contract.servers.upgrade.id, id: { not: jobId }, OR: [{ nightRun: run }, { endedAt: null }] }
    if ((await tx.job.count({ where })) === 0) return true
    await tx.job.delete({ where: { id: jobId } })
    return false
  })
}
