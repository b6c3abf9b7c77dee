/** Logs refusals in the audit log: one entry per user, object and minute, so that probing does not flood it. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { processState } from '@/lib/portal/base/process-state'
import type { Actor } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import type { AuditObjectKind } from '@/prisma/generated/portal/client'

type Recent = { minute: number; seen: Set<string> }

type Attempted = { kind: AuditObjectKind; id: unknown }

const recent = processState('denied', (): Recent => ({ minute: 0, seen: new Set() }))

/** Logs a refusal. Stores no id if the given one cannot be an opaque id. */
export function recordDenied(actor: Actor, action: string, object: Attempted, code: string): Promise<void> {
  return record(actor, actor.team.id, action, object, code)
}

/**
 * For a page or read that found nothing. Unknown ids are typos or outdated links and leave no entry. An id of another team is
 * written only to the process log, for the operator: an entry in the requesting team's audit log would reveal that the id exists.
 */
export async function recordDeniedRead(actor: Actor, action: string, object: Attempted): Promise<void> {
  const owner = isOpaqueId(object.id) ? await findOwner(object.kind, object.id) : null
  if (owner !== null) await record(actor, owner.teamId === actor.team.id ? owner.teamId : null, action, object, 'not_found')
}

function findOwner(kind: AuditObjectKind, id: string): Promise<{ teamId: string } | null> {
  const select = { teamId: true } as const
  if (kind === 'server') return db().server.findFirst({ where: { id, goneAt: null, connections: { some: {} } }, select })
  if (kind === 'site') return db().site.findFirst({ where: { id, goneAt: null, connections: { some: {} } }, select })
  if (kind === 'job') return db().job.findUnique({ where: { id }, select })
  if (kind === 'batch') return db().batch.findUnique({ where: { id }, select })
  return db().connection.findUnique({ where: { id }, select })
}

async function record(actor: Actor, teamId: string | null, action: string, object: Attempted, code: string): Promise<void> {
  const id = isOpaqueId(object.id) ? object.id : null
  const minute = Math.floor(Date.now() / 60_000)
  const denied = recent()
  if (denied.minute !== minute) Object.assign(denied, { minute, seen: new Set() })
  const by = auditActorOf(actor)
  const key = JSON.stringify([by, teamId, object.kind, id])
  if (denied.seen.has(key)) return
  denied.seen.add(key)
  await recordAudit({
    teamId,
    actor: by,
    action,
    object: { kind: object.kind, id },
    stage: 'event',
    outcome: 'denied',
    detail: { code },
  })
}
