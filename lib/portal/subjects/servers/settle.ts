/** A removal whose answer never came is settled by what a later list shows. */
import 'server-only'
import { contract } from '@/lib/contract'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { deleteDependents } from './gone'

const state = processState('unsettled removals', (): { ids?: Promise<Set<string>> | undefined } => ({}))

// Still listed right after a cut proves nothing: the service may be at it yet.
const undecidedMs = 60_000
const lookBackMs = 86_400_000

/** Ids of servers whose removal is open. Looked for in the record once a process, not with each list that is polled. */
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
    // No more than is needed: a row that somebody spoilt elsewhere must not keep lists from being stored.
    select: { seq: true, at: true, requestId: true, teamId: true, action: true, objectId: true, connectionId: true },
  })

async function readUnsettled(): Promise<Set<string>> {
  return new Set((await readOpenRows()).map(({ objectId }) => objectId))
}

/** From now on lists are looked at for what became of this server. */
export async function noteUnsettled(serverId: string): Promise<void> {
  const unsettled = await findUnsettled()
  unsettled.add(serverId)
}

/** What a list asked for at `askedAt` showed of these servers: records the end of removals that were open. */
export async function settleDeletes(serverIds: Iterable<string>, askedAt: Date, found: 'gone' | 'still there'): Promise<void> {
  const unsettled = await findUnsettled()
  for (const serverId of serverIds) {
    if (!unsettled.has(serverId) || !(await settle(serverId, askedAt, found))) continue
    unsettled.delete(serverId)
    if (found === 'still there') continue
    await deleteDependents(serverId)
  }
}

/** False while it is too early to say. */
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
