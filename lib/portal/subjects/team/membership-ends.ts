/** Acts on ends of memberships: ends the sessions and freezes the connections of members whose time is over. */
import 'server-only'
import { log } from '@/lib/log'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'
import { createRowId } from '@/lib/portal/identity/token'
import type { Prisma } from '@/prisma/generated/portal/client'
import { notifyFrozen } from './notify-frozen'
import { nothingFrozen, withdrawAll } from './withdraw'

const everyMs = 60_000

/** Every minute. A failure is logged and tried again. Access itself does not wait for this: every request checks the end. */
export function watchMembershipEnds(): void {
  const run = () =>
    asLeader(() => applyMembershipEnds()).catch((error: unknown) => log.error({ err: error }, 'ends of memberships could not be handled'))
  void run()
  setInterval(() => void run(), everyMs).unref()
}

/** A connection that its owner could thaw. */
const frozenByOwner = (): Prisma.ConnectionWhereInput => ({ frozenById: { equals: db().connection.fields.ownerId } })

/** Only memberships that still have something to end. */
export async function applyMembershipEnds(now = new Date()): Promise<void> {
  const ended = await db().membership.findMany({
    where: {
      endsAt: { lte: now },
      user: {
        OR: [
          { connections: { some: { OR: [{ frozenAt: null }, frozenByOwner()] } } },
          { backupTargets: { some: { frozenAt: null } } },
          { sessions: { some: { revokedAt: null } } },
        ],
      },
    },
    include: { user: { select: { email: true } } },
  })
  for (const { userId, teamId, role, user } of ended) {
    const event = {
      requestId: createRowId(),
      teamId,
      actor: { kind: 'gatehouse' },
      action: 'member.end',
      object: { kind: 'user', id: userId },
      detail: { email: user.email },
    } as const
    await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
    const frozen = await db().$transaction(async (tx) => {
      // Writes first. The end may have been moved since it was read.
      const { count } = await tx.membership.updateMany({ where: { userId, teamId, endsAt: { lte: now } }, data: { role } })
      return count === 0 ? null : withdrawAll(tx, { userId, teamId })
    })
    const outcome = frozen === null ? 'failed' : 'done'
    await recordOutcomeRow({ ...event, stage: 'outcome', outcome, detail: { ...event.detail, count: frozen?.connections.length } })
    await notifyFrozen(teamId, frozen ?? nothingFrozen, event)
  }
}
