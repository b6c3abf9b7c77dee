/** Freezes a connection, so that no call is made with it, and thaws it. One click each: freezing has to be quick, and both can be taken back. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { may, mayKeep } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { findMembers, hasEnded } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import type { Connection, Prisma } from '@/prisma/generated/portal/client'
import { forgetListing } from '../listing/cache'
import { findGoverned } from './find'

/** Field: connectionId. Streams through the connection end within 5 s; their jobs continue at the service. */
export const freezeConnection = (input: OwnInput): Promise<Outcome<{ label: string }>> => change(input, 'connection.freeze')

/** Field: connectionId. Jobs that were followed through the connection are followed again. */
export const thawConnection = (input: OwnInput): Promise<Outcome<{ label: string }>> => change(input, 'connection.thaw')

async function change(input: OwnInput, action: 'connection.freeze' | 'connection.thaw') {
  const { actor, requestId, field, approvedDigest } = input
  const found = await findGoverned(actor, action, field('connectionId'))
  if (!found.ok) return found
  const { id, label, ownerId } = found.data
  const refused = action === 'connection.thaw' ? await refuseThaw(actor, found.data) : null
  if (refused) {
    await recordDenied(actor, action, { kind: 'connection', id }, refused.code)
    return { ok: false, problem: refused } as const
  }
  const needs = { subject: subjectOf(actor, found.data), effect: 'change' } as const
  // Only a connection of the team, which stops the work of all.
  const second =
    ownerId === null ? { fields: pickFields(input, ['connectionId']), what: `Freeze the connection “${label}”`, approvedDigest } : null
  const recorded = {
    actor,
    action,
    requestId,
    object: { kind: 'connection', id },
    connectionId: id,
    needs,
    detail: { label },
    second,
  } as const
  return runRecorded(recorded, async (now): Promise<Outcome<{ label: string }>> => {
    const changed = action === 'connection.freeze' ? await freeze(found.data, now) : await thaw(found.data, now)
    forgetListing(id)
    if (changed.ok) await tell(now, found.data, action, requestId)
    return changed.ok ? { ok: true, data: { label } } : changed
  })
}

/** Their own one, or as somebody who keeps the connections of all. */
const subjectOf = (actor: Person, { ownerId }: Connection) => (ownerId === actor.user.id ? 'ownConnections' : 'teamConnections')

const changedMeanwhile = () => ({ ok: false, problem: problem('changed_meanwhile') }) as const

/** Who froze it first stays on the row, unless that was its owner: then it is theirs to thaw no more. */
async function freeze({ id, ownerId }: Connection, by: Person): Promise<Outcome<null>> {
  const data = { frozenAt: new Date(), frozenById: by.user.id }
  const byOwner = ownerId === null || ownerId === by.user.id ? [] : [{ frozenById: ownerId }]
  const { count } = await db().connection.updateMany({ where: { id, OR: [{ frozenAt: null }, ...byOwner] }, data })
  return count === 1 ? { ok: true, data: null } : changedMeanwhile()
}

/** Refused if somebody thawed it or froze it again in the meantime. The write comes first, so what is read after it is current. */
async function thaw(connection: Connection, actor: Person): Promise<Outcome<null>> {
  const { id, frozenAt, frozenById } = connection
  if (frozenAt === null) return changedMeanwhile()
  return inTransaction(async (client) => {
    const where = { id, frozenAt, frozenById }
    const { count } = await client.connection.updateMany({ where, data: { frozenAt: null, frozenById: null } })
    const refused = await refuseThaw(actor, connection, client)
    if (refused) return { ok: false, problem: refused }
    return count === 1 ? { ok: true, data: null } : changedMeanwhile()
  })
}

/** What others froze, or Gatehouse, only those thaw who keep the connections of all; nobody thaws one whose owner has left. */
async function refuseThaw(actor: Person, connection: Connection, client?: Prisma.TransactionClient): Promise<Problem | null> {
  const sentence = await findThawRefusal(actor, connection, client)
  return sentence === null ? null : problem('forbidden', { sentence })
}

/** Why this member may not thaw a frozen connection, or null. */
export async function findThawRefusal(
  actor: Person,
  { teamId, ownerId, frozenById }: Connection,
  client: Prisma.TransactionClient = db(),
): Promise<string | null> {
  if (frozenById !== actor.user.id && !may(actor.role, 'teamConnections', 'change')) {
    return 'Someone else froze this connection. Ask a team owner or admin to thaw it.'
  }
  if (ownerId === null) return null
  const membership = await client.membership.findFirst({ where: { teamId, userId: ownerId, user: { disabledAt: null } } })
  if (membership && !hasEnded(membership) && mayKeep(membership.role, 'own')) return null
  return 'Its owner is no longer a member who may use connections of their own.'
}

const kinds = { 'connection.freeze': 'key_frozen', 'connection.thaw': 'key_thawed' } as const satisfies Partial<Record<OwnAction, string>>

/** Tells its owner, or for a connection of the team those who keep it, except whoever did it. */
async function tell(
  actor: Person,
  { id, teamId, ownerId, label }: Connection,
  action: keyof typeof kinds,
  requestId: string,
): Promise<void> {
  const keepers = ownerId === null ? await findMembers(teamId, ['owner', 'admin']) : [ownerId]
  await notify({
    teamId,
    userIds: keepers.filter((userId) => userId !== actor.user.id),
    kind: kinds[action],
    onceKey: `${kinds[action]} ${requestId}`,
    subject: { kind: 'connection', id },
    detail: { label, by: actor.user.name },
  })
}
