/** Refusals in the record: one row per person, object and minute, so that knocking does not flood it. */
import 'server-only'
import { recordAudit } from '../audit/record'
import type { Actor } from '../identity/actor'
import { isOpaqueId } from './opaque-id'

type Recent = { minute: number; seen: Set<string> }

// Shared by all route bundles of the process.
const holder: { gatehouseDenied?: Recent } = globalThis as object

/** Records that somebody was refused. An id that cannot be one of ours is recorded as absent. */
export async function recordDenied(actor: Actor, action: string, object: { kind: string; id: unknown }, code: string): Promise<void> {
  const id = isOpaqueId(object.id) ? object.id : null
  const minute = Math.floor(Date.now() / 60_000)
  if (holder.gatehouseDenied?.minute !== minute) holder.gatehouseDenied = { minute, seen: new Set() }
  const key = JSON.stringify([actor.user.id, object.kind, id])
  if (holder.gatehouseDenied.seen.has(key)) return
  holder.gatehouseDenied.seen.add(key)
  await recordAudit({
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object: { kind: object.kind, id },
    stage: 'event',
    outcome: 'denied',
    detail: { code },
  })
}
