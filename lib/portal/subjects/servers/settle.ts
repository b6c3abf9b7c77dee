/** Settles a deletion whose answer was lost once a later list shows the result. */
import 'server-only'
import { contract } from '@/lib/contract'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { deleteDependents } from './gone'

const state = processState('unsettled removals', (): { ids?: Promise<Set<string>> | undefined } => ({}))

// A server that is still listed right after the connection broke proves nothing: the service may still be deleting it.
const undecidedMs = 60_000
const lookBackMs = 86_400_000

/** Ids of servers whose deletion has no outcome yet. Searches the audit log once per process, not with each polled list. */
function findUnsettled(): Promise<Set<string>> {
  const unsettled = state()
  unsettled.ids ??= readUnsettled()
  unsettled.ids.catch(() => {
    unsettled.ids = undefined
  })
  return unsettled.ids
}

const readOpenRows = (objectId?: string) =>
  db().auditRow.findMany({
    where: {
      action: contract.servers.delete.id,
      outcome: 'unknown',
      at: { gt: new Date(Date.now() - lookBackMs) },
      ...(objectId !== undefined && { objectId }),
    },
    // Selects only the needed columns: a tampered row elsewhere must not prevent lists from being stored.
    select: { seq: true, at: true, requestId: true, teamId: true, action: true, objectId: true, connectionId: true },
  })

async function readUnsettled(): Promise<Set<string>> {
  return new Set((await readOpenRows()).map(({ objectId }) => objectId))
}

/** From now on, lists are checked for the outcome of this server's deletion. */
export async function noteUnsettled(serverId: string): Promise<void> {
  const unsettled = await findUnsettled()
  unsettled.add(serverId)
}

/** Logs the outcome of open deletions from a list requested at `askedAt`, in which these servers were found or missing. */
export async function settleDeletes(serverIds: Iterable<string>, askedAt: Date, found: 'gone' | 'still there'): Promise<void> {
  const unsettled = await findUnsettled()
  for (const serverId of serverIds) {
    if (!unsettled.has(serverId) || !(await settle(serverId, askedAt, found))) continue
    unsettled.delete(serverId)
    if (found === 'still there') continue
    await deleteDependents(serverId)
  }
}

/** False while it is too early to decide. */
async function settle(serverId: string, askedAt: Date, found: 'gone' | 'still there'): Promise<boolean> {
  for (const row of await readOpenRows(serverId)) {
    if (found === 'still there' && askedAt.getTime() - row.at.getTime() < undecidedMs) return false
    const later = await db().auditRow.count({ where: { requestId: row.requestId, seq: { gt: row.seq } } })
    if (later > 0) continue
    await recordAudit({
      requestId: row.requestId,
      teamId: row.teamId,
      actor: { kind: 'gatehouse' },
      action: row.action,
      object: { kind: 'server', id: row.objectId },
      connectionId: row.connectionId,
      stage: 'outcome',
      outcome: found === 'gone' ? 'done' : 'failed',
      detail: { reason: `A later list shows the server ${found}.` },
    })
  }
  return true
}
