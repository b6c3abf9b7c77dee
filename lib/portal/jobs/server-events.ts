/** Jobs and entries of Activity for what servers did by their own timers. docs/decisions/069-events-of-servers.md */
import 'server-only'
import { contract } from '@/lib/contract'
import { log } from '@/lib/log'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { isTaken } from '@/lib/portal/base/transaction'
import { notify } from '@/lib/portal/notifications/notify'
import { type SeenEvents, type ServerEvent, takeServerEvents } from '@/lib/portal/subjects/findings/server-events'
import { formatMinute } from '@/lib/text/minute'
import type { Server } from '@/prisma/generated/portal/client'
import { eventKinds } from './event-kinds'

const everyMs = 15_000
const dayMs = 86_400_000
/** Longer than the bundled service names an event, and shorter than jobs are kept: a job that was deleted does not come back. */
const maxAgeMs = 14 * dayMs
/** A service that named other events at each check would fill Jobs and Activity. */
const maxADay = 40
/** After this long, Activity names the time of the event beside that of the entry. */
const lateMs = 3_600_000
/** An older failure is in Jobs, but no news. */
const newsMs = 2 * dayMs
/** A reboot follows its request within this time. */
const rebootMs = 15 * 60_000

/** A failure is logged; the next check of the server notes the events again. */
export function recordServerEventsRegularly(): void {
  setInterval(() => void recordServerEvents(), everyMs).unref()
}

/** Makes an ended job of each event that checks have noted and that has none yet. */
export async function recordServerEvents(): Promise<void> {
  for (const seen of takeServerEvents()) {
    try {
      await recordNew(seen)
    } catch (err) {
      log.error({ err, serverId: seen.serverId }, 'events of a server could not be recorded')
    }
  }
}

async function recordNew({ serverId, connectionId, events }: SeenEvents): Promise<void> {
  const now = Date.now()
  const known = await db().job.findMany({
    where: { serverId, serverEvent: { in: events.map(({ id }) => id) } },
    select: { serverEvent: true },
  })
  const recorded = new Set(known.map(({ serverEvent }) => serverEvent))
  const unknown = events.filter(({ id }) => !recorded.has(id))
  if (unknown.length === 0) return
  const [server, connection, made] = await Promise.all([
    db().server.findUnique({ where: { id: serverId } }),
    db().connection.findUnique({ where: { id: connectionId } }),
    db().job.count({ where: { serverId, serverEvent: { not: null }, heardAt: { gt: new Date(now - dayMs) } } }),
  ])
  if (!server || !connection?.extensions || connection.teamId !== server.teamId) return
  const from = Math.max(server.createdAt.getTime(), now - maxAgeMs)
  const fitting = unknown.filter(({ at }) => at.getTime() > from).slice(0, Math.max(0, maxADay - made))
  for (const event of fitting) await record(server, connectionId, event, now)
}

async function record(server: Server, connectionId: string, event: ServerEvent, now: number): Promise<void> {
  // The clock of a server may be ahead.
  const at = new Date(Math.min(event.at.getTime(), now))
  const operation = `event.${event.kind}` as const
  const { name } = eventKinds[operation]
  const about = event.kind === 'reboot' ? await describeReboot(server.id, at) : event.detail
  const jobId = createOpaqueId()
  const { outcome } = event
  try {
    await db().job.create({
      data: {
        id: jobId,
        teamId: server.teamId,
        operation,
        serverId: server.id,
        connectionId,
        serverEvent: event.id,
        targetName: event.site || server.name,
        state: outcome,
        lease: '',
        startedAt: at,
        heardAt: new Date(now),
        endedAt: at,
        ...(outcome === 'done'
          ? { progress: 100 }
          : { problemCode: 'upstream_failed', problemSentence: about || 'The server gave no reason.' }),
        eventCount: 1,
        events: { create: { seq: 1, at, step: name, progress: null, status: outcome, message: about || name } },
      },
    })
  } catch (error) {
    // Another process of the portal was faster.
    if (isTaken(error)) return
    throw error
  }
  const happened = now - at.getTime() > lateMs ? formatMinute(at) : null
  const detail = { name: server.name, label: event.site || null, about: outcome === 'done' ? about : null, happened }
  try {
    await recordAudit({
      requestId: jobId,
      teamId: server.teamId,
      actor: { kind: 'server' },
      action: operation,
      stage: 'event',
      outcome,
      object: { kind: 'server', id: server.id },
      connectionId,
      detail,
    })
  } catch (error) {
    await db().job.delete({ where: { id: jobId } })
    throw error
  }
  if (outcome === 'failed' && now - at.getTime() < newsMs) await notifyFailed(server, event, jobId)
}

/** Certificates that cannot be renewed are announced as a finding. */
async function notifyFailed({ id, teamId, name }: Server, { kind, site }: ServerEvent, jobId: string): Promise<void> {
  if (kind === 'renewal') return
  await notify({
    teamId,
    userIds: await findServerMembers(teamId, id),
    kind: 'job_failed',
    onceKey: `job_failed ${jobId}`,
    subject: { kind: 'job', id: jobId },
    detail: { operation: `event.${kind}`, name: site || name },
  })
}

/** Whether somebody asked for it in Gatehouse: services do not know it of an earlier start of theirs, and others may have asked too. */
async function describeReboot(serverId: string, at: Date): Promise<string> {
  const within = { gte: new Date(at.getTime() - rebootMs), lte: at }
  const where = { action: contract.servers.reboot.id, objectKind: 'server', objectId: serverId, stage: 'intent', at: within } as const
  return (await db().auditRow.count({ where })) > 0 ? 'As requested in Gatehouse.' : 'Nobody requested it in Gatehouse.'
}
