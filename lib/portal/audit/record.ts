/** Appends one entry to the audit log. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '@/lib/database/patience'
import { storableText } from '@/lib/database/values'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { isTaken } from '@/lib/portal/base/transaction'
import { findOrCreateSecret } from '@/lib/portal/custody/secrets'
import { type AuditObjectKind, type AuditOutcome, type AuditStage, Prisma } from '@/prisma/generated/portal/client'
import { chainMac, chainStart } from './chain'
import { type AuditDetail, renderDetail } from './detail'

/**
 * token: a program with an API token of the team. gatehouse: the portal itself. server: the server that the entry is about, by its own
 * timers. nobody: not signed in. operator: a person in a shell on the portal's server.
 */
export type AuditActor =
  | { kind: 'user'; id: string; sessionId: string | null }
  | { kind: 'token'; id: string }
  | { kind: 'gatehouse' }
  | { kind: 'server' }
  | { kind: 'nobody' }
  | { kind: 'operator' }

export type AuditEvent = {
  /** Links intent and outcome; generated when absent. */
  requestId?: string
  teamId: string | null
  actor: AuditActor
  /**
   * An operation id, or an action of the portal itself: session.signIn, session.signOut, owner.setUp, owner.recover, connection.create,
   * …
   */
  action: string
  object: { kind: AuditObjectKind; id: string | null }
  connectionId?: string | null
  /**
   * intent: logged before the action, always `asked`. outcome: the result; `asked` means that a host key was shown for comparison. event:
   * a single entry without a counterpart.
   */
  stage: AuditStage
  outcome: AuditOutcome
  /** Only allow-listed names are stored (see detail.ts), as short text; never a secret. */
  detail?: AuditDetail
}

const queue = processState('audit queue', (): { tail: Promise<unknown> } => ({ tail: Promise.resolve() }))

const tries = 20

/** This entry's time ran out while earlier entries in the queue waited for the locked database. */
class AuditLocked extends Error {
  override name = 'AuditLocked'
}

/** Writes the entry; throws if that takes longer than 5 s. Callers log the intent before they change anything: no entry, no change. */
export const recordAudit = (event: AuditEvent): Promise<void> => enqueue(event, always)

/** once: an action that has an outcome already gets no second one, whichever process wrote it. */
type Writing = { once: boolean }

const always: Writing = { once: false }

function enqueue(event: AuditEvent, how: Writing): Promise<void> {
  const deadline = Date.now() + patienceMs
  const writing = queue()
  const appended = writing.tail.then(() => {
    if (Date.now() > deadline) throw new AuditLocked('The database is locked.')
    return append(event, how)
  })
  writing.tail = appended.catch(() => {})
  return appended
}

// Losing an outcome is worse than waiting, and another program rarely holds the lock longer.
const outcomePatienceMs = 30_000
const retryMs = 250

/**
 * Writes the outcome of an action that has already happened, as soon as the database accepts it. Logs an error and returns false after
 * 30 s.
 */
export async function recordOutcomeRow(event: AuditEvent & { stage: 'outcome' }, how = always): Promise<boolean> {
  const deadline = Date.now() + outcomePatienceMs
  for (;;) {
    try {
      await enqueue(event, how)
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
 * The row number is the primary key, so if two processes read the same last row, only one of them can append after it and the other
 * retries. No transaction is needed.
 */
async function append(event: AuditEvent, { once }: Writing): Promise<void> {
  const secret = await findOrCreateSecret('audit')
  for (let attempt = 1; ; attempt++) {
    const last = await db().auditRow.findFirst({ orderBy: { seq: 'desc' }, select: { seq: true, mac: true } })
    // After the last row was read: an outcome that another process writes from now on takes the number.
    if (once && (await hasOutcome(event))) return
    const row = { ...rowOf(event), seq: (last?.seq ?? 0) + 1, prev: last?.mac ?? chainStart, macKeyId: secret.id }
    try {
      await db().auditRow.create({ data: { ...row, mac: chainMac(secret.key, row) } })
      return
    } catch (error) {
      if (!isTaken(error) || attempt === tries) throw error
    }
  }
}

async function hasOutcome({ requestId = '', action }: AuditEvent): Promise<boolean> {
  return (await db().auditRow.findFirst({ where: { requestId, action, stage: 'outcome' }, select: { seq: true } })) !== null
}

function rowOf(event: AuditEvent) {
  const { actor } = event
  return {
    at: new Date(),
    // Normalised to what the database returns, because the mac covers the stored text.
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
