/** Whether a change of Gatehouse itself may be made now, or waits for a second person. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { type Problem, problem } from '@/lib/contract/problem'
import { isFull, type Right } from '@/lib/portal/access/grants/compile'
import { may, mayManage, type PortalSubject } from '@/lib/portal/access/roles'
import type { AuditDetail } from '@/lib/portal/audit/detail'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { listOthers } from './approvers'
import { digestOf } from './digest'
import { changed, holdRequest } from './hold'
import { needsSecondPerson } from './rule'
import type { HeldOwn } from './sealed'

/**
 * What an action says about itself so that it can be held. fields: those of its form that it is made from, without any proof. what: a sentence
 * without a verb in the past: "Freeze the connection “Home”". now: what is there before it. exact: further values that must be the same when it is
 * made. touches: the roles that the change gives or takes. full: a second person below owner needs access to everything. concerns: the ids of
 * members who get something by it, and so are not its second person. always: held whatever the rule lists. approvedDigest: of the held request
 * that a second person approved.
 */
export type Second = {
  fields: Readonly<Record<string, string>>
  what: string
  now?: Readonly<Record<string, string>>
  exact?: unknown
  touches?: readonly Role[]
  full?: boolean
  concerns?: readonly string[]
  always?: boolean
  approvedDigest?: string | undefined
}

type Asked = {
  actor: Person
  action: OwnAction
  requestId: string
  needs: { subject: PortalSubject; effect: Effect }
  detail: AuditDetail
  /** Null for what the rule is not about, such as a connection of the member's own. */
  second?: Second | null
}

const cannotBeHeld = problem('forbidden', { sentence: 'This needs a second person, and there is no way to ask for one here.' })

/** Null if it may be made now. */
export async function refuseOwnWithoutSecond({ actor, action, requestId: id, needs, detail, second }: Asked): Promise<Problem | null> {
  if (second === null) return null
  const approvedDigest = second?.approvedDigest
  if (approvedDigest === undefined && !second?.always && !(await needsSecondPerson(actor.team.id, action))) return null
  if (!second) return cannotBeHeld
  const { fields, what, now = {}, exact = null, touches = [], full = false, concerns = [] } = second
  const digest = await digestOf(['own', id, actor.team.id, actor.user.id, action, detail, fields, what, now, exact, touches])
  if (approvedDigest !== undefined) return digest === approvedDigest ? null : changed
  const content: HeldOwn = { kind: 'own', fields, now, needs, touches: [...touches], full, concerns: [...concerns] }
  const approvers = await listOwnApprovers(actor.team.id, content, actor.user.id)
  return holdRequest(actor, { id, action, targetName: what, digest, content, approvers })
}

type Needed = Pick<HeldOwn, 'needs' | 'full'> & { touches: readonly Role[]; concerns: readonly string[] }

type Member = { userId: string; role: Role }

/** Whether a member could be the second person of such a change. */
export function mayApproveOwn({ userId, role }: Member, right: Right, { needs, touches, full, concerns }: Needed): boolean {
  if (concerns.includes(userId)) return false
  if (!may(role, needs.subject, needs.effect) || !touches.every((each) => mayManage(role, each))) return false
  return !full || role === 'owner' || isFull(right)
}

/** The ids of members who could, for what this member asks. */
export async function listOwnApprovers(teamId: string, needed: Needed, askedById: string | null): Promise<string[]> {
  const members = await listOthers(teamId, askedById)
  return members.filter((member) => mayApproveOwn(member, member.right, needed)).map(({ userId }) => userId)
}
