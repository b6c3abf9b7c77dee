/** The rule what needs a second person, which owners change. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import { type Candidate, listOthers, mayApprove } from '@/lib/portal/spine/held/approvers'
import { mayApproveOwn, type Second } from '@/lib/portal/spine/held/own'
import { type HeldOwnAction, type RuleName, readRule, ruleNames, ruleOf } from '@/lib/portal/spine/held/rule'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { countOpenLinks, endOpenLinks } from './open-links'

const ownersOnly = problem('forbidden', { sentence: 'Only an owner can change what needs a second person.' })

/**
 * One line of the rule. approvers: how many members could approve all of it, everywhere. refusal: why it cannot be turned on now. endsLinks: how
 * many open invitations and links that reset a password, made without a second person, end when it is turned on.
 */
export type RuleLine = {
  name: RuleName
  label: string
  proposed: boolean
  on: boolean
  approvers: number
  refusal: string | null
  endsLinks: number
}

/** For the page Team. */
export async function readSecondPersonRule(actor: Person): Promise<RuleLine[]> {
  const teamId = actor.team.id
  const [rule, links, members] = await Promise.all([readRule(teamId), countOpenLinks(teamId), listOthers(teamId, null)])
  const on = new Set(rule)
  return ruleNames.map((name) => {
    const [{ label, proposed }, approvers] = [ruleOf(name), countApprovers(members, name)]
    const endsLinks = on.has(name) || !holdsLinks(name) ? 0 : links
    return { name, label, proposed, on: on.has(name), approvers, refusal: approvers < 2 ? tooFew(approvers) : null, endsLinks }
  })
}

/** Whether a new link of an invitation waits for a second person. */
const holdsLinks = (name: RuleName): boolean => ruleOf(name).own.includes('invitation.resend')

const tooFew = (approvers: number): string =>
  `At least two members have to be able to approve this on all servers and sites; ${approvers === 1 ? 'one is' : 'none is'} now.`

function countApprovers(members: readonly Candidate[], name: RuleName): number {
  const { operations, own } = ruleOf(name)
  const mayAll = (member: Candidate) =>
    operations.every((operation) => mayApprove(member, operation, [{ kind: 'everywhere' }])) &&
    own.every((action) => mayApproveOwn(member, member.right, neededOf(action)))
  return members.filter(mayAll).length
}

/** Of the usual case: a role below owner, and for access all of it. */
const neededOf = (action: HeldOwnAction) => {
  const whoever = { touches: [], concerns: [] }
  if (action === 'activity.export') return { ...whoever, needs: { subject: 'auditLog', effect: 'export' }, full: true } as const
  const connects = action === 'connection.freeze' || action === 'connection.remove'
  return { ...whoever, needs: { subject: connects ? 'teamConnections' : 'team', effect: 'change' }, full: !connects } as const
}

/**
 * Fields: names, those that are to be on, joined by commas; and a proof if the sign-in is not recent. Turning something off needs another owner,
 * if there is one: else one could act alone after all. Links that were made without a second person end.
 */
export async function setSecondPersonRule(input: OwnInput): Promise<Outcome<null>> {
  const { actor, requestId, field, stepUp, approvedDigest } = input
  const [action, object] = ['team.setSecondPerson', { kind: 'team', id: actor.team.id }] as const
  if (actor.role !== 'owner') {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: ownersOnly }
  }
  const given = field('names').split(',').filter(Boolean)
  const chosen = ruleNames.filter((name) => given.includes(name))
  if (chosen.length !== given.length) return { ok: false, problem: problem('invalid') }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const [was, { secondPersonFor }] = await Promise.all([
    readRule(actor.team.id),
    db().team.findUniqueOrThrow({ where: { id: actor.team.id }, select: { secondPersonFor: true } }),
  ])
  const detail = { was: was.join(', '), state: chosen.join(', ') }
  const needs = { subject: 'team', effect: 'change' } as const
  const off = was.filter((name) => !chosen.includes(name))
  // Also who is disabled: else whoever disabled them could turn it off.
  const others = await db().membership.count({ where: { teamId: actor.team.id, role: 'owner', userId: { not: actor.user.id } } })
  const second: Second = {
    fields: pickFields(input, ['names']),
    what: `Turn off the second person for: ${off.map((name) => ruleOf(name).label).join(', ')}`,
    touches: ['owner'],
    always: off.length > 0 && others > 0,
    approvedDigest,
  }
  return runRecorded({ actor, action, requestId, object, needs, detail, second }, async (now): Promise<Outcome<null>> => {
    if (now.role !== 'owner') return { ok: false, problem: ownersOnly }
    const members = await listOthers(now.team.id, null)
    for (const name of chosen.filter((each) => !was.includes(each))) {
      const approvers = countApprovers(members, name)
      if (approvers < 2) return { ok: false, problem: problem('forbidden', { sentence: tooFew(approvers) }) }
    }
    return inTransaction(async (tx) => {
      const where = { id: now.team.id, secondPersonFor }
      const { count } = await tx.team.updateMany({ where, data: { secondPersonFor: chosen.join(',') } })
      if (count === 0) return { ok: false, problem: problem('changed_meanwhile') }
      if (chosen.some((name) => !was.includes(name) && holdsLinks(name))) await endOpenLinks(tx, now.team.id)
      return { ok: true, data: null }
    })
  })
}
