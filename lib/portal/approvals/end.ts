/** Ends held requests. What was sealed in them is deleted with the same write. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { findNotified, notifyAll } from '@/lib/portal/notifications/notify'
import { wantedKey } from '@/lib/portal/spine/held/hold'
import type { HeldRequest, HeldState, Prisma } from '@/prisma/generated/portal/client'

/** How long a second person has time, in ms. */
export const heldMs = 60 * 60_000

export const isLate = ({ askedAt }: Pick<HeldRequest, 'askedAt'>): boolean => askedAt.getTime() + heldMs <= Date.now()

/** sendAt: of one that is ready, when it was approved. */
export const isTakenLate = ({ sendAt }: Pick<HeldRequest, 'sendAt'>): boolean => (sendAt?.getTime() ?? 0) + heldMs <= Date.now()

export const erased = { sealed: null, kekId: null }

/** Of several callers at the same moment, in any process, one gets true. */
export async function moveHeld(
  { id, digest }: Pick<HeldRequest, 'id' | 'digest'>,
  from: HeldState,
  data: Prisma.HeldRequestUpdateManyMutationInput & { state: HeldState },
): Promise<boolean> {
  const { count } = await db().heldRequest.updateMany({ where: { id, digest, state: from }, data })
  return count === 1
}

/** Whether whoever asked for a file has got it: it can be taken again until its time is over. */
const wasMade = async (requestId: string): Promise<boolean> =>
  (await db().auditRow.count({ where: { requestId, stage: 'outcome', outcome: 'done' } })) > 0

/** The request is over. why: the problem that ended it. What was taken already counts as sent, whatever ends it then. */
export async function endHeld(
  row: Pick<HeldRequest, 'id' | 'digest'>,
  from: HeldState,
  {
    state,
    why = null,
    page = null,
    ...more
  }: { state: HeldState; why?: Problem | null; page?: string | null } & Partial<Pick<HeldRequest, 'decidedById' | 'decidedAt' | 'reason'>>,
): Promise<boolean> {
  const over = { ...more, ...erased, page, endedAt: new Date() }
  if (from === 'ready' && (await wasMade(row.id))) return moveHeld(row, from, { ...over, state: 'sent' })
  const problems = { problemCode: why?.code ?? null, problemSentence: why?.sentence ?? null }
  return moveHeld(row, from, { ...over, ...problems, state })
}

/** Whoever asked reads what became of it, and so do the others who could have approved it: they need not look any more. */
export async function tellDecided(row: HeldRequest, { by, what, outcome }: { by: string; what: string; outcome: string }): Promise<void> {
  const { id, teamId, askedById } = row
  const [asker, decided, others] = await Promise.all([
    db().user.findUnique({ where: { id: askedById }, select: { name: true } }),
    db().heldRequest.findUnique({ where: { id }, select: { decidedById: true } }),
    findNotified(wantedKey(id)),
  ])
  const subject = { kind: 'heldRequest', id } as const
  const event = { teamId, kind: 'approval_decided', onceKey: `decided ${id} ${outcome}`, subject } as const
  const userIds = others.filter((userId) => userId !== decided?.decidedById && userId !== askedById)
  await notifyAll([
    { ...event, userIds: [askedById], detail: { who: by, what, outcome } },
    { ...event, userIds, detail: { who: by, what, outcome, asker: asker?.name ?? 'a former member' } },
  ])
}

export const alreadyOver = problem('changed_meanwhile', {
  sentence: 'This request is already over. Reload the page to see what became of it.',
})

export const notTaken = problem('changed_meanwhile', {
  sentence: 'It was approved, but not taken within 60 minutes, so it is over. Ask again.',
})

export const tooLate = problem('changed_meanwhile', { sentence: 'Nobody approved this within 60 minutes, so it is over. Ask again.' })
