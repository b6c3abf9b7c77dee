/** Ends requests that nobody approved in time, and those that a killed process was sending. */
import 'server-only'
import { isProblemCode, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { endHeld, heldMs, tooLate } from './end'

const everyMs = 30_000

/** Call at start-up, after jobs were resumed. */
export async function expireHeldRegularly(): Promise<void> {
  await settleSending()
  const run = () => expireAllHeld().catch((error: unknown) => log.error({ err: error }, 'held requests could not be ended'))
  setInterval(run, everyMs).unref()
}

/** Those that are older than 60 minutes. */
export async function expireAllHeld(): Promise<void> {
  const askedAt = { lte: new Date(Date.now() - heldMs) }
  for (const row of await db().heldRequest.findMany({ where: { state: 'waiting', askedAt } })) await expireHeld(row)
}

export async function expireHeld(row: HeldRequest): Promise<void> {
  if (!(await endHeld(row, 'waiting', { state: 'expired', why: tooLate }))) return
  await recordAudit({
    teamId: row.teamId,
    actor: { kind: 'gatehouse' },
    action: 'approval.expire',
    object: { kind: 'heldRequest', id: row.id },
    stage: 'event',
    outcome: 'done',
    detail: { name: row.targetName, about: row.action },
  })
}

const notSent = problem('internal', { sentence: 'Gatehouse was restarted before this was sent. Ask again.' })

/** A job's row comes before its request, and the intent in the audit log before every other one, so they tell whether it was sent. */
export async function settleSending(): Promise<void> {
  for (const row of await db().heldRequest.findMany({ where: { state: 'sending' } })) {
    const job = await db().job.findUnique({ where: { id: row.id }, select: { id: true } })
    if (job) await endHeld(row, 'sending', { state: 'sent', jobId: job.id })
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
