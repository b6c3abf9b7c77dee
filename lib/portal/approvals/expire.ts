/** Ends requests that nobody approved in time, and those whose process ended, or failed, while it was sending them. */
import 'server-only'
import { isProblemCode, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { alreadyOver, endHeld, heldMs, notTaken, tooLate } from './end'

const everyMs = 30_000

// Longer than anything that is sent quickly, or until a job has begun.
const sendingMs = 10 * 60_000

/** Call at start-up, after jobs were resumed. */
export async function expireHeldRegularly(): Promise<void> {
  // On PostgreSQL another portal may be sending them.
  if (!sharedDatabase()) await settleSending(new Date())
  const run = async () => {
    await expireAllHeld()
    await settleSending(new Date(Date.now() - sendingMs))
  }
  setInterval(() => asLeader(run).catch((error: unknown) => log.error({ err: error }, 'held requests could not be ended')), everyMs).unref()
}

/** Those that nobody approved within 60 minutes, or that were approved and not taken within 60 minutes. */
export async function expireAllHeld(): Promise<void> {
  const late = { lte: new Date(Date.now() - heldMs) }
  const where = {
    OR: [
      { state: 'waiting' as const, askedAt: late },
      { state: 'ready' as const, sendAt: late },
    ],
  }
  for (const row of await db().heldRequest.findMany({ where })) await expireHeld(row)
}

/** A file may have been taken already, which is not known before its time is over. Returns the problem of taking or approving it from now on. */
export async function expireHeld(row: HeldRequest): Promise<Problem> {
  const [from, why] = row.state === 'ready' ? (['ready', notTaken] as const) : (['waiting', tooLate] as const)
  if (!(await endHeld(row, from, { state: 'expired', why }))) return alreadyOver
  const { state } = await db().heldRequest.findUniqueOrThrow({ where: { id: row.id }, select: { state: true } })
  if (state !== 'expired') return alreadyOver
  await recordAudit({
    teamId: row.teamId,
    actor: { kind: 'gatehouse' },
    action: 'approval.expire',
    object: { kind: 'heldRequest', id: row.id },
    stage: 'event',
    outcome: 'done',
    detail: { name: row.targetName, about: row.action, was: from },
  })
  return why
}

const notSent = problem('internal', { sentence: 'Gatehouse stopped before this was sent. Ask again.' })

/** The row of a job or batch comes before its request, and the intent in the audit log before every other one, so they tell whether it was sent. before: when it was taken up to be sent. */
export async function settleSending(before: Date): Promise<void> {
  for (const row of await db().heldRequest.findMany({
    where: { state: 'sending', OR: [{ sendAt: null, decidedAt: { lte: before } }, { sendAt: { lte: before } }] },
  })) {
    const [job, batch] = await Promise.all([
      db().job.findUnique({ where: { id: row.id }, select: { id: true } }),
      db().batch.findUnique({ where: { id: row.id }, select: { id: true } }),
    ])
    if (job) await endHeld(row, 'sending', { state: 'sent', page: `/jobs/${job.id}` })
    else if (batch) await endHeld(row, 'sending', { state: 'sent', page: `/jobs/batches/${batch.id}` })
    else await settleByAudit(row)
  }
}

async function settleByAudit(row: HeldRequest): Promise<void> {
  const rows = await db().auditRow.findMany({ where: { requestId: row.id, action: row.action }, orderBy: { seq: 'asc' } })
  const outcome = rows.findLast(({ stage }) => stage === 'outcome')
  if (rows.length === 0) await endHeld(row, 'sending', { state: 'failed', why: notSent })
  else if (outcome?.outcome === 'done') await endHeld(row, 'sending', { state: 'sent' })
  else if (outcome?.outcome === 'failed') {
    const { code } = readDetail(outcome.detail)
    await endHeld(row, 'sending', { state: 'failed', why: problem(isProblemCode(code) ? code : 'upstream_failed') })
  } else await endHeld(row, 'sending', { state: 'unknown', why: problem('outcome_unknown') })
}
