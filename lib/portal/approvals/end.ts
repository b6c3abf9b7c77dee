/** Ends held requests. What was sealed in them is deleted with the same write. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
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

/** The request is over. why: the problem that ended it. */
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
  const problems = { problemCode: why?.code ?? null, problemSentence: why?.sentence ?? null }
  return moveHeld(row, from, { ...more, ...erased, ...problems, state, page, endedAt: new Date() })
}

/** Whoever asked reads what became of it, unless they did it themselves. */
export async function tellAsker(row: HeldRequest, { by, what, outcome }: { by: string; what: string; outcome: string }): Promise<void> {
  const { id, teamId, askedById } = row
  const subject = { kind: 'heldRequest', id } as const
  await notify({
    teamId,
    userIds: [askedById],
    kind: 'approval_decided',
    onceKey: `decided ${id} ${outcome}`,
    subject,
    detail: { who: by, what, outcome },
  })
}

export const alreadyOver = problem('changed_meanwhile', {
  sentence: 'This request is already over. Reload the page to see what became of it.',
})

export const notTaken = problem('changed_meanwhile', {
  sentence: 'It was approved, but not taken within 60 minutes, so it is over. Ask again.',
})

export const tooLate = problem('changed_meanwhile', { sentence: 'Nobody approved this within 60 minutes, so it is over. Ask again.' })
