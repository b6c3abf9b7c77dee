/** What the operator does in a shell to get somebody into the team: an account with a link to set its password, or an invitation. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { everything } from '@/lib/portal/access/grants/stored'
import { isRole } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Role } from '@/lib/portal/identity/actor'
import { invalidEmail, parseEmail } from '@/lib/portal/identity/email'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { refuseName } from '@/lib/portal/identity/name'
import { createLink } from '@/lib/portal/identity/one-time-link'
import { createRowId } from '@/lib/portal/identity/token'
import { formatEndDate, parseEndDate } from './end-date'
import { createInvitationLink } from './invitation-link'
import { keepInvitation } from './keep-invitation'

/** As written in the shell. until: the last day, such as 2026-12-31, or empty. access: everything, which a guest never gets, or nothing at first. */
export type NewMember = { email: string; role: string; until: string; access: boolean }

/** link: printed once; only its hash is stored. */
type Result = { email: string; link: string } | { refusal: string }

type Terms = { email: string; role: Role; endsAt: Date | null; everything: boolean }

/** Creates the account, which is a member at once, with a link to set its password within an hour. */
export async function addAccount(given: NewMember & { name: string }): Promise<Result> {
  const terms = readTerms(given)
  if ('refusal' in terms) return terms
  const name = refuseName(given.name)
  if (name) return { refusal: `--name: ${name}` }
  const owner = await findFirstOwner()
  if (!owner) return noOwner
  const userId = createRowId()
  const added = await recorded('member.add', { kind: 'user', id: userId }, owner.teamId, terms, () =>
    create({ ...terms, userId, name: given.name.trim(), teamId: owner.teamId }),
  )
  return added ?? { email: terms.email, link: await createLink('recover', userId) }
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
  const refused = await recorded('invitation.create', { kind: 'invitation', id }, owner.teamId, terms, () => keepInvitation(row))
  return refused ?? { email, link }
}

const noOwner = { refusal: 'There is no owner yet, who has to be first: gatehouse owner setup' }

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

/** Logs the intent before and the outcome after. Null if it was done. */
async function recorded(
  action: OwnAction,
  object: { kind: 'user' | 'invitation'; id: string },
  teamId: string,
  { email, role, endsAt }: Terms,
  work: () => Promise<Outcome<null>>,
): Promise<{ refusal: string } | null> {
  const detail = { email, role, until: formatEndDate(endsAt), via: 'shell' }
  const event = { requestId: createRowId(), teamId, actor: { kind: 'operator' }, action, object, detail } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const done = await work()
  await recordOutcomeRow({ ...event, stage: 'outcome', outcome: done.ok ? 'done' : 'failed' })
  if (!done.ok) return { refusal: sentenceOf(done.problem) }
  log.warn({ action, objectId: object.id }, 'a member was added or invited in a shell')
  return null
}

const sentenceOf = ({ sentence, fields }: Problem): string => fields?.email ?? sentence

type NewAccount = Terms & { userId: string; name: string; teamId: string }

/** Refused if somebody has an account with this address or is invited, because the link would then open what is theirs. */
function create({ userId: id, name, teamId, email, role, endsAt, everything: all }: NewAccount): Promise<Outcome<null>> {
  const exists = 'An account with this address exists. Invite it to the team, or enable it: gatehouse users enable EMAIL'
  return inTransaction(
    async (tx) => {
      const grants = all ? { create: everything(createOpaqueId(), 'Added in a shell.') } : {}
      await tx.user.create({ data: { id, email, name, memberships: { create: { teamId, role, endsAt, grants } } } })
      return { ok: true, data: null }
    },
    { taken: problem('invalid', { fields: { email: exists } }) },
  )
}
