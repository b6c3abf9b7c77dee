/** Sends an approved request for whoever asked, by the same path of the spine as if nobody had to approve it. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { recheckSame } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import type { HeldOperation } from '@/lib/portal/spine/held/sealed'
import { runOperation } from '@/lib/portal/subjects/spine'
import type { HeldRequest } from '@/prisma/generated/portal/client'

const askerGone = problem('forbidden', { sentence: 'Whoever asked for this is not a member any more, or was signed out by somebody else.' })

const sentBefore = problem('changed_meanwhile', { sentence: 'This request was sent before. Check the result before you ask again.' })

/** The server or site that it acts on. */
export const targetOf = ({ serverId, siteId }: Pick<HeldRequest, 'serverId' | 'siteId'>): Target =>
  siteId === null ? { serverId: serverId ?? '' } : { siteId }

/** The asker may be idle or have signed out, but nobody may have ended their session. Role, access and connection are decided by the spine. */
export async function sendHeld(
  row: HeldRequest,
  operation: Operation,
  { fields, confirmName, about, undoes }: HeldOperation,
): Promise<Outcome<{ jobId: string | null }>> {
  const { id, teamId, askedById, sessionId, digest } = row
  const target = targetOf(row)
  const session = { sessionId, user: { id: askedById }, team: { id: teamId } }
  const asker = await recheckSame(session, { evenSignedOut: true })
  if (!asker) return { ok: false, problem: askerGone }
  // A row that was put back from an older copy of the database.
  if (await db().auditRow.findFirst({ where: { requestId: id, stage: 'intent' }, select: { seq: true } })) {
    return { ok: false, problem: sentBefore }
  }
  const options = {
    requestId: id,
    approvedDigest: digest,
    // Whoever asked proved who they are when they asked.
    stepUp: async () => null,
    ...(confirmName !== undefined && { confirmName }),
    ...(about !== undefined && { about }),
    ...(undoes !== undefined && { undoes }),
  }
  if (operation.pace === 'slow') return startJob(asker, operation, target, fields, options)
  const outcome = await runOperation(asker, operation, target, fields, options)
  return outcome.ok ? { ok: true, data: { jobId: null } } : outcome
}
