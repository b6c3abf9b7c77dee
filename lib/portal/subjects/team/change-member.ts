/** Changes what a member may do, and for how long: role, end of the membership, disabled or not, removal. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { isRole, roleNames } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Role } from '@/lib/portal/identity/actor'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import type { Second } from '@/lib/portal/spine/held/own'
import type { Prisma } from '@/prisma/generated/portal/client'
import { formatEndDate, parseEndDate } from './end-date'
import { changeMembership, type Seen } from './membership-change'
import { notifyFrozen } from './notify-frozen'
import { refuseUnknown, runForTeam } from './recorded'
import { nothingFrozen, withdrawAll, withdrawBeyond } from './withdraw'

/** frozen, frozenTargets: how many connections and backup targets of their own were frozen. */
export type MemberChanged = { name: string; frozen: number; frozenTargets: number }

type Target = Seen & { name: string; email: string }

type Change = {
  action: OwnAction
  /** The role that the member gets. */
  gives?: Role
  until?: string | undefined
  /** The writing statement: how many rows it changed. Its condition is the member as seen. */
  write: (tx: Prisma.TransactionClient, seen: Seen) => Promise<{ count: number }>
  /** Whether the member may do nothing from now on. */
  ends?: true
  /** How it waits for a second person, if it can. */
  second?: (target: Target) => Second | null
}

/** Fields: memberId, role, and password if the sign-in is not recent. */
export async function changeRole(input: OwnInput): Promise<Outcome<MemberChanged>> {
  const role = input.field('role')
  if (!isRole(role)) return { ok: false, problem: problem('invalid', { fields: { role: 'Choose a role.' } }) }
  const write: Change['write'] = (tx, seen) => tx.membership.updateMany({ where: asSeen(seen), data: { role } })
  const second = (target: Target): Second => ({
    fields: pickFields(input, ['memberId', 'role']),
    what: `Change the role of ${target.email} to ${roleNames[role]}`,
    now: { Role: roleNames[target.role] },
    concerns: [target.userId],
    approvedDigest: input.approvedDigest,
  })
  return change(input, { action: 'member.changeRole', gives: role, write, second })
}

const ownEnd = problem('forbidden', { sentence: 'Somebody else has to change the end of your membership.' })

/** Fields: memberId, endsOn (a day; empty for no end), and password if the sign-in is not recent. */
export async function setMembershipEnd(input: OwnInput): Promise<Outcome<MemberChanged>> {
  const end = parseEndDate(input.field('endsOn'))
  if ('refusal' in end) return { ok: false, problem: problem('invalid', { fields: { endsOn: end.refusal } }) }
  const { endsAt } = end
  const { actor, field } = input
  if (field('memberId') === actor.user.id && actor.role !== 'owner') {
    await recordDenied(actor, 'member.setEnd', { kind: 'user', id: actor.user.id }, 'forbidden')
    return { ok: false, problem: ownEnd }
  }
  const write: Change['write'] = (tx, seen) => tx.membership.updateMany({ where: asSeen(seen), data: { endsAt } })
  const second = (target: Target): Second => ({
    fields: pickFields(input, ['memberId', 'endsOn']),
    what: `Change the end of the membership of ${target.email} to ${formatEndDate(endsAt) ?? 'none'}`,
    now: { Ends: formatEndDate(target.endsAt) ?? 'never' },
    concerns: [target.userId],
    approvedDigest: input.approvedDigest,
  })
  return change(input, { action: 'member.setEnd', until: formatEndDate(endsAt), write, second })
}

/** Fields: memberId, and password if the sign-in is not recent. Nobody can sign in to the account until it is enabled. */
export function disableMember(input: OwnInput): Promise<Outcome<MemberChanged>> {
  return change(input, {
    action: 'member.disable',
    ends: true,
    write: (tx, seen) => setDisabled(tx, seen, new Date()),
    second: ofOwners(input, 'Disable'),
  })
}

/** Fields: memberId, and password if the sign-in is not recent. Frozen connections stay frozen. */
export function enableMember(input: OwnInput): Promise<Outcome<MemberChanged>> {
  const second = ({ email }: Target): Second => ({
    fields: pickFields(input, ['memberId']),
    what: `Enable the account of ${email}`,
    approvedDigest: input.approvedDigest,
  })
  return change(input, { action: 'member.enable', write: (tx, seen) => setDisabled(tx, seen, null), second })
}

/** Fields: memberId, and password if the sign-in is not recent. The account stays, so that the person can be invited again. */
export function removeMember(input: OwnInput): Promise<Outcome<MemberChanged>> {
  const write: Change['write'] = (tx, seen) => tx.membership.deleteMany({ where: asSeen(seen) })
  return change(input, { action: 'member.remove', ends: true, write, second: ofOwners(input, 'Remove') })
}

/** Nobody waits for a second person to stop somebody; but who is the only other owner could stop whoever has to approve. */
const ofOwners =
  (input: OwnInput, verb: string) =>
  ({ email, role }: Target): Second | null =>
    role === 'owner'
      ? { fields: pickFields(input, ['memberId']), what: `${verb} the owner ${email}`, approvedDigest: input.approvedDigest }
      : null

const asSeen = ({ userId, teamId, role, endsAt }: Seen) => ({ userId, teamId, role, endsAt })

const setDisabled = (tx: Prisma.TransactionClient, { userId, teamId, role }: Seen, disabledAt: Date | null) =>
  tx.user.updateMany({
    where: { id: userId, disabledAt: disabledAt ? null : { not: null }, memberships: { some: { teamId, role } } },
    data: { disabledAt },
  })

async function change(
  { actor, requestId, field, stepUp }: OwnInput,
  { action, gives, until, write, ends, second }: Change,
): Promise<Outcome<MemberChanged>> {
  const id = field('memberId')
  const target = await findTarget(actor.team.id, id)
  if (!target) return refuseUnknown(actor, action, { kind: 'user', id })
  const { name, email } = target
  const touches = [target.role, ...(gives ? [gives] : [])]
  const detail = { email, role: gives ?? target.role, until }
  const own = { actor, action, requestId, object: { kind: 'user', id }, detail, touches, prove: stepUp } as const
  const recorded = { ...own, ...(second && { second: second(target) }) }
  const done = await runForTeam(recorded, (now) =>
    changeMembership(now, target, touches, async (tx) => {
      const { count } = await write(tx, target)
      if (count === 0) return null
      if (ends) return withdrawAll(tx, target)
      return gives ? withdrawBeyond(gives, tx, target) : nothingFrozen
    }),
  )
  if (!done.ok) return done
  await notifyFrozen(actor.team.id, done.data, { requestId, by: actor.user.id })
  if (target.role === 'owner' || gives === 'owner') await notifyOwners(target, { gives, ends }, actor.user.name, requestId)
  return { ok: true, data: { name, frozen: done.data.connections.length, frozenTargets: done.data.targets.length } }
}

/** The member as seen now; null for an id that is unknown, malformed or another team's. */
export async function findTarget(teamId: string, userId: string): Promise<Target | null> {
  if (!isOpaqueId(userId)) return null
  const found = await db().membership.findUnique({
    where: { userId_teamId: { userId, teamId } },
    include: { user: { select: { name: true, email: true } } },
  })
  return found && { userId, teamId, role: found.role, endsAt: found.endsAt, ...found.user }
}

/** Every owner, and the person, learns that the owners changed. */
async function notifyOwners(
  { userId, teamId, name, role }: Target,
  { gives, ends }: { gives: Role | undefined; ends: true | undefined },
  by: string,
  requestId: string,
): Promise<void> {
  const userIds = [...(await findMembers(teamId, ['owner'])), userId]
  const event = { kind: 'owners_changed', onceKey: `owner:${requestId}`, subject: { kind: 'user', id: userId } } as const
  const gone = role === 'owner' && (ends === true || (gives !== undefined && gives !== 'owner'))
  // An owner whose membership gets an end, or whose account is enabled, was neither added nor removed.
  const change = gone ? 'removed' : gives === 'owner' ? 'added' : ''
  await notify({ teamId, userIds, ...event, detail: { name, change, by } })
}
