/** A removal whose answer never came is settled by what a later list shows. */
import 'server-only'
import { contract } from '@/lib/contract'
import { recordAudit } from '../audit/record'
import { db } from '../db'

// Still listed right after a cut proves nothing: the service may be at it yet.
const undecidedMs = 60_000

/** Looks for open `unknown` removals of these servers and records what became of them. */
export async function settleDeletes(serverIds: readonly string[], askedAt: Date, found: 'gone' | 'still there'): Promise<void> {
  if (serverIds.length === 0) return
  const open = await db().auditRow.findMany({
    where: {
      action: contract.servers.delete.id,
      objectId: { in: [...serverIds] },
      outcome: 'unknown',
      at: { gt: new Date(askedAt.getTime() - 86_400_000) },
    },
  })
  for (const row of open) {
    if (found === 'still there' && askedAt.getTime() - row.at.getTime() < undecidedMs) continue
    const settled = await db().auditRow.count({ where: { requestId: row.requestId, seq: { gt: row.seq } } })
    if (settled > 0) continue
    await recordAudit({
      requestId: row.requestId,
      teamId: row.teamId,
      actor: { kind: 'gatehouse' },
      action: row.action,
      object: { kind: row.objectKind, id: row.objectId },
      connectionId: row.connectionId,
      stage: 'outcome',
      outcome: found === 'gone' ? 'done' : 'failed',
      detail: { reason: `A later list shows the server ${found}.` },
    })
  }
}
