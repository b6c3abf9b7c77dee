/** Converts an actor to its form in the audit log. */
import 'server-only'
import type { AuditActor } from '@/lib/portal/audit/record'
import type { Actor } from './actor'

export function auditActorOf(actor: Actor): AuditActor {
  // A member who is not there has no session.
  if (actor.kind === 'user') return { kind: 'user', id: actor.user.id, sessionId: actor.sessionId || null }
  return actor.kind === 'token' ? { kind: 'token', id: actor.token.id } : { kind: 'gatehouse' }
}
