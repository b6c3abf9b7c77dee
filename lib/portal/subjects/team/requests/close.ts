/** Closes requests for access that nobody answered in time, and those of people who have left. */
import 'server-only'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { AccessRequest, Prisma } from '@/prisma/generated/portal/client'
import { tellExpired } from './tell'

const everyMs = 60_000

/** Every minute. A failure is logged and tried again. An answer does not wait for this: it checks the time itself. */
export function watchAccessRequests(): void {
  const run = () =>
    asLeader(() => closeStale()).catch((error: unknown) => log.error({ err: error }, 'requests for access could not be closed'))
  setInterval(() => void run(), everyMs).unref()
}

export const openRequests = (now: Date) => ({ state: 'open' as const, expiresAt: { gt: now } })

/** For somebody who may do nothing from now on. The caller has written before. */
export async function closeRequestsOf(tx: Prisma.TransactionClient, { userId, teamId }: { userId: string; teamId: string }): Promise<void> {
  await tx.accessRequest.updateMany({
    where: { userId, teamId, state: 'open' },
    data: { state: 'closed', openKey: null, decidedAt: new Date() },
  })
}

export async function closeStale(now = new Date()): Promise<void> {
  const open = await db().accessRequest.findMany({ where: { state: 'open' } })
  for (const request of open) {
    const isMember = await db().membership.count({
      where: { userId: request.userId, teamId: request.teamId, user: { disabledAt: null }, ...lastingMemberships() },
    })
    if (isMember === 0) await end(request, 'closed', now)
    else if (request.expiresAt <= now) await end(request, 'expired', now)
  }
}

async function end({ id, teamId, userId, ...request }: AccessRequest, state: 'closed' | 'expired', now: Date): Promise<void> {
  const { count } = await db().accessRequest.updateMany({ where: { id, state: 'open' }, data: { state, openKey: null, decidedAt: now } })
  if (count === 0) return
  const object = { kind: 'user', id: userId } as const
  const event = { teamId, actor: { kind: 'gatehouse' }, action: 'access.expire', object, stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, detail: { state } })
  if (state === 'expired') await tellExpired({ id, teamId, userId, ...request })
}
