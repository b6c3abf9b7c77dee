/** Settles a deletion whose answer was lost once a later list shows the result. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'

/** Ids of subjects whose deletion has no outcome yet, by operation. */
const unsettled = processState('unsettled deletions', () => new Map<string, Promise<Set<string>>>())

// A subject that is still listed right after the connection broke proves nothing: the service may still be deleting it.
const undecidedMs = 60_000
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

  /** Searches the audit log once per process, not with each polled list. */
  function findUnsettled(): Promise<Set<string>> {
    const known = unsettled().get(action)
    if (known) return known
    const reading = readOpenRows(action).then((rows) => new Set(rows.map(({ objectId }) => objectId)))
    unsettled().set(action, reading)
    reading.catch(() => unsettled().delete(action))
    return reading
  }

  /** False while it is too early to decide. */
  async function settle(id: string, askedAt: Date, found: Found): Promise<boolean> {
    for (const row of await readOpenRows(action, id)) {
      if (found === 'still there' && askedAt.getTime() - row.at.getTime() < undecidedMs) return false
      const later = await db().auditRow.count({ where: { requestId: row.requestId, seq: { gt: row.seq } } })
      if (later > 0) continue
      const reason = `A later list shows the ${kind} ${found}.`
      await recordAudit({
        requestId: row.requestId,
        teamId: row.teamId,
        actor: { kind: 'gatehouse' },
        action: row.action,
        object: { kind, id: row.objectId },
        connectionId: row.connectionId,
        stage: 'outcome',
        outcome: found === 'gone' ? 'done' : 'failed',
        detail: { reason },
      })
      await settleJob(row.requestId, found, reason)
    }
    return true
  }

  return {
    /** From now on, lists are checked for the outcome of this subject's deletion. */
    async note(id: string): Promise<void> {
      const ids = await findUnsettled()
      ids.add(id)
    },
    /** Logs the outcome of open deletions from a list requested at `askedAt`, in which these subjects were found or missing. */
    async settle(ids: Iterable<string>, askedAt: Date, found: Found): Promise<void> {
      const open = await findUnsettled()
      for (const id of ids) {
        if (!open.has(id) || !(await settle(id, askedAt, found))) continue
        open.delete(id)
        if (found === 'gone') await onGone(id)
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
    // Selects only the needed columns: a tampered row elsewhere must not prevent lists from being stored.
    select: { seq: true, at: true, requestId: true, teamId: true, action: true, objectId: true, connectionId: true },
  })

/** A slow deletion is a job under the same id. One that is still followed ends on its own. */
async function settleJob(id: string, found: Found, sentence: string): Promise<void> {
  const { code } = problem('upstream_failed')
  await db().job.updateMany({
    where: { id, endedAt: { not: null }, state: { in: ['interrupted', 'unknown'] } },
    data:
      found === 'gone'
        ? { state: 'done', problemCode: null, problemSentence: null }
        : { state: 'failed', problemCode: code, problemSentence: sentence },
  })
}
