/** Approves a request for access, for a time and as far as the approver decides, or refuses it with a reason. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { formatAccess } from '@/lib/text/access'
import type { AccessRequest, Prisma } from '@/prisma/generated/portal/client'
import {
  type AccessChanged,
  accessFields,
  addGrant,
  concerning,
  detailOf,
  nameOf,
  newGrant,
  refuseRole,
  sayAccess,
  secondOf,
} from '../access/change'
import { type AskedAccess, readAccessForm } from '../access/form'
import { refuseAbove } from '../access/holder'
import { changeGrants } from '../access/transaction'
import { findTarget } from '../change-member'
import { runForTeam } from '../recorded'
import { formatCeiling } from './askable'
import { openRequests } from './close'
import { findAskedPlace } from './place'
import { tellAnswer } from './tell'
import { aboutOf } from './work'

export type Answered = { accessRequestId: string }

type Found = { row: AccessRequest; asker: { userId: string; role: Role; email: string; name: string }; about: string }

const maxReason = 200

/** The statements of what comes with an approval, in its transaction. Null if something is no longer as it was seen. */
type Write = (tx: Prisma.TransactionClient) => Promise<unknown>

/** What comes with an approval: runs it between its own entries of the audit log. */
type Along = (
  asked: AskedAccess,
  asker: Found['asker'],
  approve: (write: Write) => Promise<Outcome<AccessChanged>>,
) => Promise<Outcome<AccessChanged>>

/** Fields: accessRequestId, those of access as giving it has them, and password if the sign-in is not recent. */
export async function approveRequest(input: OwnInput, along?: Along): Promise<Outcome<AccessChanged>> {
  const { actor, requestId, field, stepUp } = input
  const found = await findOpen(actor, 'access.approve', field('accessRequestId'))
  if (!found.ok) return found
  const { row, asker, about } = found.data
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  if (!asked.data.effects.some((effect) => mayRun(asker.role, effect))) {
    return { ok: false, problem: problem('invalid', { fields: { effects: formatCeiling(asker.role, asked.data.effects) } }) }
  }
  const detail = { ...detailOf(asker, asked.data), was: about }
  const what = `Give ${nameOf(asker)} access${sayAccess(asked.data)}`
  const second = { ...(await secondOf(input, ['accessRequestId', ...accessFields], what, asked.data)), ...concerning(asker) }
  const change = { ...common(actor, asker), action: 'access.approve', requestId, prove: stepUp, detail, second } as const
  const done = await runForTeam(change, async (now) => {
    const above = await refuseAbove(now, asked.data)
    if (above) return { ok: false, problem: above }
    const grantId = createOpaqueId()
    const approve = (write?: Write) =>
      changeGrants(now, asker, async (tx) => {
        if (!(await answer(tx, row, { state: 'approved', decidedById: now.user.id, grantId }))) return null
        await addGrant(tx, newGrant(now, grantId, asker, asked.data))
        return write && (await write(tx)) === null ? null : { grantId, undo: null }
      })
    return along ? along(asked.data, asker, approve) : approve()
  })
  if (!done.ok) return done
  const given = formatAccess({ ...asked.data, operations: [] }, asked.data.names)
  await tellAnswer({ ...row, about }, { answer: 'approved', about: given, by: actor.user.name, until: asked.data.until })
  return done
}

/** Fields: accessRequestId and reason. Gives nothing, so that it takes no recent sign-in. */
export async function refuseRequest({ actor, requestId, field }: OwnInput): Promise<Outcome<Answered>> {
  const found = await findOpen(actor, 'access.refuse', field('accessRequestId'))
  if (!found.ok) return found
  const { row, asker, about } = found.data
  const reason = field('reason').trim().slice(0, maxReason)
  if (reason === '') return { ok: false, problem: problem('invalid', { fields: { reason: 'Say why.' } }) }
  const change = {
    ...common(actor, asker),
    action: 'access.refuse',
    requestId,
    detail: { email: asker.email, about, why: reason },
  } as const
  const done = await runForTeam(change, (now) =>
    changeGrants(now, asker, async (tx) =>
      (await answer(tx, row, { state: 'refused', decidedById: now.user.id, reason })) ? { accessRequestId: row.id } : null,
    ),
  )
  if (done.ok) await tellAnswer({ ...row, about }, { answer: 'refused', about, by: actor.user.name, reason })
  return done
}

const common = (actor: Person, { userId, role }: Found['asker']) =>
  ({ actor, touches: [role], checksAccess: true, object: { kind: 'user', id: userId } }) as const

/** The writing statement. False if it was answered, withdrawn or closed meanwhile, or whoever asked has left. */
async function answer(
  tx: Prisma.TransactionClient,
  { id, userId, teamId }: AccessRequest,
  data: Prisma.AccessRequestUpdateManyMutationInput,
): Promise<boolean> {
  const at = new Date()
  const { count } = await tx.accessRequest.updateMany({
    where: { id, ...openRequests(at) },
    data: { ...data, openKey: null, decidedAt: at },
  })
  if (count === 0) return false
  return (await tx.membership.count({ where: { userId, teamId, user: { disabledAt: null }, ...lastingMemberships() } })) === 1
}

/** Before anything else the role, so that nobody who may not change access learns what was asked for. */
async function findOpen(actor: Person, action: OwnAction, id: string): Promise<Outcome<Found>> {
  const refused = await refuseRole(actor, action)
  if (refused) return refused
  const row = isOpaqueId(id) ? await db().accessRequest.findFirst({ where: { id, teamId: actor.team.id } }) : null
  const [asker, place] = row
    ? await Promise.all([findTarget(actor.team.id, row.userId), findAskedPlace(actor, row.placeKind, row.placeId)])
    : [null, null]
  if (!row || !asker || (!place && row.placeKind !== 'nowhere')) {
    await recordDenied(actor, action, { kind: 'user', id: '' }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  if (row.userId === actor.user.id) {
    await recordDenied(actor, action, { kind: 'user', id: row.userId }, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: 'Somebody else has to answer what you asked for.' }) }
  }
  if (row.state !== 'open' || row.expiresAt <= new Date()) return { ok: false, problem: problem('changed_meanwhile', { sentence: over }) }
  return { ok: true, data: { row, asker, about: aboutOf(row, place) } }
}

const over = 'This request was answered or withdrawn in the meantime.'
