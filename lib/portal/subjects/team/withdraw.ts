/** Takes from a member what an ended membership or another role no longer gives. */
import 'server-only'
import { mayKeep } from '@/lib/portal/access/roles'
import type { Role } from '@/lib/portal/identity/actor'
import { dropMadeLinks } from '@/lib/portal/identity/one-time-link'
import { endSessionsOf } from '@/lib/portal/identity/session'
import type { Prisma } from '@/prisma/generated/portal/client'
import { freezeBackupTargets } from './freeze-backup-targets'
import { closeRequestsOf } from './requests/close'

type Who = { userId: string; teamId: string }

/** Ids of what was the member’s own and was frozen. */
export type Frozen = { connections: readonly string[]; targets: readonly string[] }

export const nothingFrozen: Frozen = { connections: [], targets: [] }

/** For somebody who may do nothing from now on. */
export async function withdrawAll(tx: Prisma.TransactionClient, who: Who): Promise<Frozen> {
  await endSessionsOf(who.userId, tx)
  await dropMadeLinks(who.userId, tx)
  await closeRequestsOf(tx, who)
  await endHeldOf(tx, who)
  return freezeOwn(tx, who)
}

/** For somebody who has this role from now on. A guest may do all that grants and loans give, so that they lose what a lesser role limited. */
export async function withdrawBeyond(role: Role, tx: Prisma.TransactionClient, who: Who): Promise<Frozen> {
  await dropMadeLinks(who.userId, tx)
  if (role === 'guest') {
    const where = { userId: who.userId, teamId: who.teamId }
    await tx.grant.deleteMany({ where })
    await tx.loan.deleteMany({ where })
  }
  if (mayKeep(role, 'own')) return nothingFrozen
  return freezeOwn(tx, who)
}

/** What they asked a second person for: nothing sealed outlasts their membership. */
async function endHeldOf(tx: Prisma.TransactionClient, { userId, teamId }: Who): Promise<void> {
  const asked = { askedById: userId, teamId }
  // A file that they took already was sent.
  const ready = await tx.heldRequest.findMany({ where: { ...asked, state: 'ready' }, select: { id: true } })
  const made = { requestId: { in: ready.map(({ id }) => id) }, stage: 'outcome' as const, outcome: 'done' as const }
  const taken = (await tx.auditRow.findMany({ where: made, select: { requestId: true } })).map(({ requestId }) => requestId)
  const over = { sealed: null, kekId: null, endedAt: new Date() }
  await tx.heldRequest.updateMany({ where: { id: { in: taken } }, data: { ...over, state: 'sent' } })
  const where = { ...asked, state: { in: ['waiting' as const, 'approved' as const, 'ready' as const] } }
  await tx.heldRequest.updateMany({ where, data: { ...over, state: 'failed' } })
}

const freezeOwn = async (tx: Prisma.TransactionClient, who: Who): Promise<Frozen> => ({
  connections: await freezeOwnConnections(tx, who),
  targets: await freezeBackupTargets(tx, who),
})

/** Those that they froze themselves count too, because frozenById becomes null: Gatehouse froze them. The caller has written before. */
async function freezeOwnConnections(tx: Prisma.TransactionClient, { userId, teamId }: Who): Promise<string[]> {
  const where = { teamId, ownerId: userId, OR: [{ frozenAt: null }, { frozenById: userId }] }
  const frozen = await tx.connection.findMany({ where, select: { id: true } })
  await tx.connection.updateMany({ where, data: { frozenAt: new Date(), frozenById: null } })
  return frozen.map(({ id }) => id)
}
