/** Does what was held, for whoever asked, by the same path as if nobody had to approve it. */
import 'server-only'
import { contract, findOperation } from '@/lib/contract'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide, type Target } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { startBatch } from '@/lib/portal/batches/start'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { refuseHeldRestore } from '@/lib/portal/jobs/restore-copy'
import { startJob } from '@/lib/portal/jobs/start'
import { type HeldBatch, type HeldOperation, type HeldOwn, openHeld } from '@/lib/portal/spine/held/sealed'
import { whatOf } from '@/lib/portal/spine/held/what'
import { runOperation } from '@/lib/portal/subjects/spine'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { endHeld, tellDecided } from './end'
import { findOwnHandler } from './own'

/** page: of the job or batch that it started; null if it is done. */
export type SentHeld = { page: string | null }

export const altered = problem('changed_meanwhile', {
  sentence: 'This request is not what was held: its record was changed. Nothing was sent. Ask again.',
})

const askerGone = problem('forbidden', { sentence: 'Whoever asked for this is not a member any more, or was signed out by somebody else.' })

const sentBefore = problem('changed_meanwhile', { sentence: 'This request was sent before. Check the result before you ask again.' })

/**
 * Sends what was claimed, and ends the request whatever follows: nothing of it stays sealed. approver: null if an owner goes without. by: who
 * approved it, for whoever asked; null if that is the same member.
 */
export async function sendClaimed(row: HeldRequest, approver: Person | null, by: string | null): Promise<Outcome<SentHeld>> {
  const outcome = await sendHeld(row, approver)
  const failure = outcome.ok ? null : outcome.problem
  await endHeld(row, 'sending', { state: stateAfter(failure), why: failure, page: outcome.ok ? outcome.data.page : null })
  if (by !== null) await tellDecided(row, { by, what: whatOf(row), outcome: failure === null ? 'approved' : 'failed' })
  return outcome
}

/** What becomes of a request that was sent. */
export const stateAfter = (failure: Problem | null) =>
  failure === null ? 'sent' : failure.code === 'outcome_unknown' ? 'unknown' : 'failed'

/**
 * row: as it was read before it was claimed, with what is sealed. approver: has to be allowed the same; null if an owner goes without. Whoever asked
 * may be idle or have signed out, but nobody may have ended their session; role, access and connection are decided again.
 */
async function sendHeld(row: HeldRequest, approver: Person | null): Promise<Outcome<SentHeld>> {
  const content = await openHeld(row)
  if (content === null) return { ok: false, problem: altered }
  const { id, teamId, askedById, sessionId } = row
  const asker = await recheckSame({ sessionId, user: { id: askedById }, team: { id: teamId } }, { evenSignedOut: true })
  if (!asker) return { ok: false, problem: askerGone }
  const sent = await wasSent(id)
  if (sent) return { ok: false, problem: sent }
  if (content.kind === 'batch') return sendBatch(asker, row, content)
  return content.kind === 'own' ? makeOwn(asker, row, content) : sendOperation(asker, approver, row, content)
}

/** The problem of a row that was put back from an older copy of the database. */
export async function wasSent(requestId: string): Promise<Problem | null> {
  return (await db().auditRow.findFirst({ where: { requestId, stage: 'intent' }, select: { seq: true } })) ? sentBefore : null
}

/** Whoever asked proved who they are when they asked. */
export const proven = async () => null

/** The server or site that it acts on. */
const targetOf = ({ serverId, siteId }: Pick<HeldRequest, 'serverId' | 'siteId'>): Target =>
  siteId === null ? { serverId: serverId ?? '' } : { siteId }

async function sendOperation(
  asker: Person,
  approver: Person | null,
  row: HeldRequest,
  { fields, confirmName, about, undoes, repeatOf }: HeldOperation,
): Promise<Outcome<SentHeld>> {
  const [operation, target] = [findOperation(row.action), targetOf(row)]
  if (!operation) return { ok: false, problem: altered }
  const typed = confirmName === undefined ? {} : { confirmName }
  const may = approver && (await decide(approver, operation, target, { fields, ...typed }))
  if (may && !may.ok) return may
  const gone = operation.id === contract.copies.restore.id ? await refuseHeldRestore(asker, row.siteId ?? '', fields) : null
  if (gone) return { ok: false, problem: gone }
  const options = {
    ...typed,
    requestId: row.id,
    approvedDigest: row.digest,
    stepUp: proven,
    ...(about !== undefined && { about }),
    ...(undoes !== undefined && { undoes }),
    ...(repeatOf !== undefined && { repeatOf }),
  }
  if (operation.pace === 'slow') {
    const started = await startJob(asker, operation, target, fields, options)
    return started.ok ? { ok: true, data: { page: `/jobs/${started.data.jobId}` } } : started
  }
  const outcome = await runOperation(asker, operation, target, fields, options)
  return outcome.ok ? { ok: true, data: { page: null } } : outcome
}

/** Whether the approver is allowed each target was checked with the list. */
async function sendBatch(asker: Person, { id, action, digest }: HeldRequest, content: HeldBatch): Promise<Outcome<SentHeld>> {
  const targets = content.targets.map(({ id: target, fields, repeatOf }) => ({
    id: target,
    fields,
    ...(repeatOf !== undefined && { repeatOf }),
  }))
  const { mode, atOnce, confirmName } = content
  const started = await startBatch(
    asker,
    { operation: action, targets, mode, atOnce, confirmName, stepUp: proven, approvedDigest: digest },
    id,
  )
  return started.ok ? { ok: true, data: { page: `/jobs/batches/${started.data.batchId}` } } : started
}

const unmailed = problem('upstream_failed', {
  sentence: 'The invitation was stored, but its mail could not be sent. Send it again on the page Team.',
})

// Its link was in the mail alone.
const isUnmailed = (made: unknown): boolean => typeof made === 'object' && made !== null && 'mail' in made && made.mail === 'failed'

/** As if the form had been sent now; whether the approver could do the same was checked with what it needs. */
async function makeOwn(actor: Person, { id: requestId, action, digest }: HeldRequest, { fields }: HeldOwn): Promise<Outcome<SentHeld>> {
  const handle = findOwnHandler(action)
  if (!handle) return { ok: false, problem: altered }
  const made = await handle({ actor, requestId, field: (name) => fields[name] ?? '', stepUp: proven, approvedDigest: digest })
  if (!made.ok) return made
  return isUnmailed(made.data) ? { ok: false, problem: unmailed } : { ok: true, data: { page: null } }
}
