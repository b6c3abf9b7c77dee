/** Lists a user's own sessions, so that they can end unknown ones. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from './actor'
import { eventOf } from './check-password'
import { nameDevice } from './device-name'
import { endOtherSessions, isIdle, openSessions } from './session'

export type SessionView = {
  id: string
  /** Whether it is the session of this request. */
  here: boolean
  /** device: "Firefox on Linux". userAgent: the full user agent. */
  device: string
  userAgent: string
  /** An address, an IPv6 /64 network, or 'unknown'. */
  peer: string
  /** ISO times; seenAt is at most a minute old. */
  signedInAt: string
  seenAt: string
}

/** The valid sessions, this one first, then the most recently seen. At most 100. */
export async function listSessions(actor: Person): Promise<SessionView[]> {
  const where = { userId: actor.user.id, awaits: null, ...openSessions() }
  const include = { team: { select: { idleMinutes: true } } }
  const rows = await db().session.findMany({ where, include, orderBy: { seenAt: 'desc' }, take: 100 })
  return rows
    .filter((row) => !isIdle(row))
    .map(({ id, userAgent, peer, createdAt, seenAt }) => ({
      id,
      here: id === actor.sessionId,
      device: nameDevice(userAgent),
      userAgent,
      peer,
      signedInAt: createdAt.toISOString(),
      seenAt: seenAt.toISOString(),
    }))
    .sort((a, b) => Number(b.here) - Number(a.here))
}

/** Ends one of the user's sessions; its open streams end within 5 s. Another user's session is the same `not_found` as none. */
export async function endOwnSession(actor: Person, id: unknown): Promise<Outcome<{ ended: number }>> {
  const where = { userId: actor.user.id, revokedAt: null }
  const row = isOpaqueId(id) ? await db().session.findFirst({ where: { id, ...where } }) : null
  if (!row) return { ok: false, problem: problem('not_found', { sentence: 'This session has already ended.' }) }
  const { count } = await db().session.updateMany({ where: { id: row.id, ...where }, data: { revokedAt: new Date() } })
  const object = { kind: 'session' as const, id: row.id }
  const detail = { name: nameDevice(row.userAgent), peer: row.peer }
  await recordAudit({ ...eventOf(actor, 'session.end'), object, stage: 'event', outcome: 'done', detail })
  return { ok: true, data: { ended: count } }
}

/** Ends all of the user's sessions except this request's. */
export async function endOwnOtherSessions(actor: Person): Promise<Outcome<{ ended: number }>> {
  const { count } = await endOtherSessions({ userId: actor.user.id, keep: actor.sessionId })
  await recordAudit({ ...eventOf(actor, 'session.endOthers'), stage: 'event', outcome: 'done' })
  return { ok: true, data: { ended: count } }
}
