/** Settles a deletion whose answer was lost once a later list shows the result. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import type { Prisma } from '@/prisma/generated/portal/client'

/** Ids of subjects whose deletion has no outcome yet, by operation. */
const unsettled = processState('unsettled deletions', () => new Map<string, Promise<Set<string>>>())
/** Of these, the ones of which it is logged that a later list still showed them. */
const seen = processState('deletions still listed', () => new Set<string>())

// Nobody knows how long a service takes, so a list that still shows the subject does not decide. It is worth a mention after a minute.
const mentionedAfterMs = 60_000
// Deletions older than this stay unknown.
const lookBackMs = 86_400_000

type Found = 'gone' | 'still there'

type Settled = {
  kind: 'server' | 'site'
  /** Its deletion. */
  operation: Operation
  /** Called once the list shows that it is gone. */
  onGone: (id: string) => Promise<void>
}

export function createSettling({ kind, operation, onGone }: Settled) {
  const { id: action } = operation
  const keyOf = (id: string): string => `${action} ${id}`

  /** Searches the audit log once per process, not with each polled list. */
  function findUnsettled(): Promise<Set<string>> {
    const known = unsettled().get(action)
    if (known) return known
    const reading = readOpenRows(action).then((rows) => new Set(rows.map(({ objectId }) => objectId)))
    unsettled().set(action, reading)
    reading.catch(() => unsettled().delete(action))
    return reading
  }

  /** The deletions of it that no later row decided. told: a later row says that a list still showed it. */
  async function findUndecided(id: string): Promise<{ row: OpenRow; told: boolean }[]> {
    const undecided = new Map<string, { row: OpenRow; told: boolean }>()
    for (const row of await readOpenRows(action, id)) {
      const { requestId, seq } = row
      const decided = await db().auditRow.count({ where: { requestId, seq: { gt: seq }, outcome: { not: 'unknown' } } })
      const first = undecided.get(requestId)?.row
      if (decided === 0) undecided.set(requestId, { row: first ?? row, told: first !== undefined })
    }
    return [...undecided.values()]
  }

  async function settleGone(id: string): Promise<void> {
    for (const { row } of await findUndecided(id)) {
      // Without the entry, a process after a kill finds the deletion undecided, and does all of this again.
      await settleJob(row.requestId)
      await record(row, 'done', `A later list shows the ${kind} gone.`)
    }
  }

  /** Logs once that a list still showed it, which leaves the outcome open. */
  async function noteSeen(id: string, askedAt: Date): Promise<void> {
    if (seen().has(keyOf(id))) return
    const undecided = await findUndecided(id)
    const late = undecided.filter(({ row }) => askedAt.getTime() - row.at.getTime() >= mentionedAfterMs)
    for (const { row, told } of late) {
      if (told) continue
      const reason = `A list ${formatMinutes(askedAt.getTime() - row.at.getTime())} later still showed the ${kind}. It may still be deleted.`
      await describeJob(row.requestId, reason)
      await record(row, 'unknown', reason)
    }
    if (late.length === undecided.length) seen().add(keyOf(id))
  }

  const record = (row: OpenRow, outcome: 'done' | 'unknown', reason: string): Promise<void> =>
    recordAudit({
      requestId: row.requestId,
      teamId: row.teamId,
      actor: { kind: 'gatehouse' },
      action: row.action,
      object: { kind, id: row.objectId },
      connectionId: row.connectionId,
      stage: 'outcome',
      outcome,
      detail: { reason },
    })

  return {
    /** From now on, lists are checked for the outcome of this subject's deletion. */
    async note(id: string): Promise<void> {
      const ids = await findUnsettled()
      ids.add(id)
      seen().delete(keyOf(id))
    },
    /** Logs the outcome of open deletions from a list requested at `askedAt`, in which these subjects were found or missing. */
    async settle(ids: Iterable<string>, askedAt: Date, found: Found): Promise<void> {
      const open = await findUnsettled()
      for (const id of ids) {
        if (!open.has(id)) continue
        if (found === 'still there') {
          await noteSeen(id, askedAt)
          continue
        }
        await settleGone(id)
        open.delete(id)
        seen().delete(keyOf(id))
        await onGone(id)
      }
    },
  }
}

const readOpenRows = (action: string, objectId?: string) =>
  db().auditRow.findMany({
    where: {
      action,
      outcome: 'unknown',
      at: { gt: new Date(Date.now() - lookBackMs) },
      ...(objectId !== undefined && { objectId }),
    },
    orderBy: { seq: 'asc' },
    // Selects only the needed columns: a tampered row elsewhere must not prevent lists from being stored.
    select: { seq: true, at: true, requestId: true, teamId: true, action: true, objectId: true, connectionId: true },
  })

type OpenRow = Awaited<ReturnType<typeof readOpenRows>>[number]

function formatMinutes(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}

/** A slow deletion is a job under the same id. One that is still followed ends on its own. */
const endedJob = (id: string) => ({ id, endedAt: { not: null }, state: { in: ['interrupted', 'unknown'] } }) satisfies Prisma.JobWhereInput

/** A target of a batch has the id of its request too. */
const endedTarget = (requestId: string) => ({ requestId, state: 'unknown' }) as const

/** Also what shows the deletion elsewhere is done now. */
async function settleJob(id: string): Promise<void> {
  const known = { problemCode: null, problemSentence: null }
  await db().job.updateMany({ where: endedJob(id), data: { state: 'done', ...known } })
  await db().batchTarget.updateMany({ where: endedTarget(id), data: { state: 'done', ...known } })
}

async function describeJob(id: string, sentence: string): Promise<void> {
  const known = { problemCode: problem('outcome_unknown').code, problemSentence: sentence }
  await db().job.updateMany({ where: endedJob(id), data: known })
  await db().batchTarget.updateMany({ where: endedTarget(id), data: known })
}
