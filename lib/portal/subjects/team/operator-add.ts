/** What the operator does in a shell to get somebody into the team: an account with a link to set its password, or an invitation. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { everything } from '@/lib/portal/access/grants/stored'
import { isRole } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Role } from '@/lib/portal/identity/actor'
import { invalidEmail, parseEmail, refuseEmail } from '@/lib/portal/identity/email'
import { findMembers, lastingMemberships } from '@/lib/portal/identity/membership'
import { refuseName } from '@/lib/portal/identity/name'
import { storeLink } from '@/lib/portal/identity/one-time-link'
import { createRowId } from '@/lib/portal/identity/token'
import { notify } from '@/lib/portal/notifications/notify'
import { formatEndDate, parseEndDate } from './end-date'
import { createInvitationLink } from './invitation-link'
import { openInvitations } from './invitations'
import { keepInvitation } from './keep-invitation'

/** As written in the shell. until: the last day, such as 2026-12-31, or empty. access: everything, which a guest never gets, or nothing at first. */
export type NewMember = { email: string; role: string; until: string; access: boolean }

/** link: printed once; only its hash is stored. */
type Result = { email: string; link: string } | { refusal: string }

type Terms = { email: string; role: Role; endsAt: Date | null; everything: boolean }

/** Creates the account, which is a member at once, with a link to set its password within an hour. Every owner is notified of a new owner. */
export async function addAccount(given: NewMember & { name: string }): Promise<Result> {
  const terms = readTerms(given)
  if ('refusal' in terms) return terms
  const name = refuseName(given.name)
  if (name) return { refusal: `--name: ${name}` }
  const owner = await findFirstOwner()
  if (!owner) return noOwner
  const account = { ...terms, userId: createRowId(), name: given.name.trim(), teamId: owner.teamId }
  const added = await recorded('member.add', { kind: 'user', id: account.userId }, owner.teamId, terms, () => create(account))
  if (!added.ok) return { refusal: sentenceOf(added.problem) }
  if (account.role === 'owner') await notifyOwners(account)
  return { email: account.email, link: added.data }
}

/** The same as an owner's invitation, and in the name of the first owner: it ends with their right to invite. It is not mailed. */
export async function inviteAddress(given: NewMember): Promise<Result> {
  const terms = readTerms(given)
  if ('refusal' in terms) return terms
  const owner = await findFirstOwner()
  if (!owner) return noOwner
  const id = createRowId()
  const { link, ...stored } = createInvitationLink()
  const { email, role, endsAt: membershipEndsAt } = terms
  const row = {
    ...stored,
    id,
    email,
    role,
    membershipEndsAt,
    everything: terms.everything,
    teamId: owner.teamId,
    invitedById: owner.userId,
  }
  const kept = await recorded('invitation.create', { kind: 'invitation', id }, owner.teamId, terms, () => keepInvitation(row))
  return kept.ok ? { email, link } : { refusal: sentenceOf(kept.problem) }
}

const noOwner = { refusal: 'There is no owner yet, who has to be first: ./gatehouse owner setup' }

function readTerms({ email: written, role, until, access }: NewMember): Terms | { refusal: string } {
  const email = parseEmail(written)
  if (!email) return { refusal: invalidEmail }
  if (!isRole(role)) return { refusal: '--role: use owner, admin, operator, viewer or guest.' }
  const end = parseEndDate(until)
  return 'refusal' in end ? { refusal: `--until: ${end.refusal}` } : { email, role, ...end, everything: access && role !== 'guest' }
}

/** Of the first team, as set-up knows one. */
async function findFirstOwner(): Promise<{ teamId: string; userId: string } | null> {
  const team = await db().team.findFirst({ orderBy: { createdAt: 'asc' } })
  const where = { role: 'owner', user: { disabledAt: null }, ...lastingMemberships() } as const
  return team && db().membership.findFirst({ where: { teamId: team.id, ...where }, orderBy: { createdAt: 'asc' } })
}

/** Logs the intent before and the outcome after, in the audit log only: scripts read what the command prints. */
async function recorded<T>(
  action: OwnAction,
  object: { kind: 'user' | 'invitation'; id: string },
  teamId: string,
  { email, role, endsAt }: Terms,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const detail = { email, role, until: formatEndDate(endsAt), via: 'shell' }
  const event = { requestId: createRowId(), teamId, actor: { kind: 'operator' }, action, object, detail } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const done = await work()
  await recordOutcomeRow({ ...event, stage: 'outcome', outcome: done.ok ? 'done' : 'failed' })
  return done
}

const sentenceOf = ({ sentence, fields }: Problem): string => fields?.email ?? sentence

type NewAccount = Terms & { userId: string; name: string; teamId: string }

/**
 * Returns the link. Refused if somebody has an account with this address or is invited, because the link would then open what is theirs, and
 * an open invitation would still work after the member is removed.
 */
function create({ userId: id, name, teamId, email, role, endsAt, everything: all }: NewAccount): Promise<Outcome<string>> {
  const exists = 'An account with this address exists. Invite it to the team, or enable it: ./gatehouse users enable EMAIL'
  return inTransaction(
    async (tx) => {
      const grants = all ? { create: everything(createOpaqueId(), 'Added in a shell.') } : {}
      await tx.user.create({ data: { id, email, name, memberships: { create: { teamId, role, endsAt, grants } } } })
      const open = await tx.invitation.count({ where: { ...openInvitations(teamId), email } })
      if (open > 0) return refuseEmail('This address is already invited. Resend or revoke that invitation.')
      return { ok: true, data: await storeLink(tx, 'recover', id, {}) }
    },
    { taken: problem('invalid', { fields: { email: exists } }) },
  )
}

async function notifyOwners({ userId, name, teamId }: NewAccount): Promise<void> {
  const userIds = (await findMembers(teamId, ['owner'])).filter((each) => each !== userId)
  const event = { kind: 'owners_changed', onceKey: `owner:${userId}`, subject: { kind: 'user', id: userId } } as const
  await notify({ teamId, userIds, ...event, detail: { name, change: 'added', by: 'the server administrator' } })
}
