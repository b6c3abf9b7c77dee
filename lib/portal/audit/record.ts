/** Appends one row to the record. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '@/lib/database/patience'
import { storableText } from '@/lib/database/values'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { findOrCreateSecret } from '@/lib/portal/custody/secrets'
import { type AuditObjectKind, type AuditOutcome, type AuditStage, Prisma } from '@/prisma/generated/portal/client'
import { chainMac, chainStart } from './chain'
import { type AuditDetail, renderDetail } from './detail'

/** token: a program with a token of the team. gatehouse: the portal itself. nobody: somebody not signed in. operator: a person at the machine's own shell. */
export type AuditActor =
  | { kind: 'user'; id: string; sessionId: string | null }
  | { kind: 'token'; id: string }
  | { kind: 'gatehouse' }
  | { kind: 'nobody' }
  | { kind: 'operator' }

export type AuditEvent = {
  /** Ties intent and outcome together; made up when absent. */
  requestId?: string
  teamId: string | null
  actor: AuditActor
  /** An operation id, or one of the portal's own: session.signIn, session.signOut, owner.setUp, owner.recover, connection.create, … */
  action: string
  object: { kind: AuditObjectKind; id: string | null }
  connectionId?: string | null
  /** intent: about to be done, always `asked`. outcome: what came of it; `asked` is a host key that was shown to be compared. event: stands alone. */
  stage: AuditStage
  outcome: AuditOutcome
  /** Only allow-listed names are kept (see detail.ts), as short text; never a secret. */
  detail?: AuditDetail
}

const queue = processState('audit queue', (): { tail: Promise<unknown> } => ({ tail: Promise.resolve() }))

const tries = 20

/** The rows before this one waited for a locked database until this one's time was over, too. */
class AuditLocked extends Error {
  override name = 'AuditLocked'
}

/** Writes the row; throws when it cannot within 5 s. Whoever changes something writes the intent first: no record, no change. */
export function recordAudit(event: AuditEvent): Promise<void> {
  const deadline = Date.now() + patienceMs
  const writing = queue()
  const appended = writing.tail.then(() => {
    if (Date.now() > deadline) throw new AuditLocked('The database is locked.')
    return append(event)
  })
  writing.tail = appended.catch(() => {})
  return appended
}

// What has happened is worth waiting for: another program rarely holds the lock for longer.
const outcomePatienceMs = 30_000
const retryMs = 250

/** Writes the outcome of what has happened by now, as soon as the database can be written. False, and logged, when it could not within 30 s. */
export async function recordOutcomeRow(event: AuditEvent & { stage: 'outcome' }): Promise<boolean> {
  const deadline = Date.now() + outcomePatienceMs
  for (;;) {
    try {
      await recordAudit(event)
      return true
    } catch (error) {
      if (isLocked(error) && Date.now() + retryMs < deadline) {
        await delay(retryMs)
        continue
      }
      log.error({ err: error, action: event.action, requestId: event.requestId }, 'an outcome could not be recorded')
      return false
    }
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof AuditLocked || (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P1008')

/**
 * The row's number is the table's key, so of two processes that read the same last row only one can append after it;
 * the other reads again. That is why no transaction is held.
 */
async function append(event: AuditEvent): Promise<void> {
  const secret = await findOrCreateSecret('audit')
  for (let attempt = 1; ; attempt++) {
    const last = await db().auditRow.findFirst({ orderBy: { seq: 'desc' }, select: { seq: true, mac: true } })
    const row = { ...rowOf(event), seq: (last?.seq ?? 0) + 1, prev: last?.mac ?? chainStart, macKeyId: secret.id }
    try {
      await db().auditRow.create({ data: { ...row, mac: chainMac(secret.key, row) } })
      return
    } catch (error) {
      const taken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
      if (!taken || attempt === tries) throw error
    }
  }
}

function rowOf(event: AuditEvent) {
  const { actor } = event
  return {
    at: new Date(),
    // As the database gives them back: the mac is over what is stored.
    requestId: storableText(event.requestId ?? randomBytes(16).toString('base64url')),
    teamId: event.teamId,
    actorKind: actor.kind,
    actorId: 'id' in actor ? actor.id : null,
    sessionId: actor.kind === 'user' ? actor.sessionId : null,
    action: event.action,
    objectKind: event.object.kind,
    objectId: storableText(event.object.id ?? ''),
    connectionId: event.connectionId ?? null,
    stage: event.stage,
    outcome: event.outcome,
    detail: renderDetail(event.detail ?? {}),
  }
}
