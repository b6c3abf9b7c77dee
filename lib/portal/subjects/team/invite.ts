/** Invites an address to the team. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { isRole, roleNames } from '@/lib/portal/access/roles'
import type { Role } from '@/lib/portal/identity/actor'
import { invalidEmail, parseEmail } from '@/lib/portal/identity/email'
import { createRowId } from '@/lib/portal/identity/token'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import { refuseTurnedOn } from '@/lib/portal/spine/held/rule'
import { formatEndDate, parseEndDate } from './end-date'
import { createInvitationLink, type Invited, mailInvitation, shownTo } from './invitation-link'
import { keepInvitation } from './keep-invitation'
import { runForTeam } from './recorded'

type Asked = { email: string; role: Role; endsAt: Date | null; everything: boolean }

/**
 * Fields: email, role, endsOn (a day, or empty), access (none: the membership begins without any; of a guest always), and password if the
 * sign-in is not recent.
 */
export async function inviteMember(input: OwnInput): Promise<Outcome<Invited>> {
  const { actor, requestId, field, stepUp } = input
  const read = readForm(field)
  if ('problem' in read) return { ok: false, problem: read.problem }
  const { email, role, endsAt, everything } = read.asked
  const id = createRowId()
  const detail = { email, role, until: formatEndDate(endsAt) }
  const object = { kind: 'invitation', id } as const
  const until = endsAt ? `, until ${formatEndDate(endsAt)}` : ''
  const second = {
    fields: pickFields(input, ['email', 'role', 'endsOn', 'access']),
    what: `Invite ${email} as ${roleNames[role]}, with access to ${everything ? 'everything' : 'nothing at first'}${until}`,
    approvedDigest: input.approvedDigest,
  }
  const change = { actor, action: 'invitation.create', requestId, object, detail, touches: [role], prove: stepUp, second } as const
  return runForTeam(change, async (now) => {
    const { link, ...stored } = createInvitationLink()
    const terms = { email, role, membershipEndsAt: endsAt, everything }
    const linkShownToId = shownTo(now, input.approvedDigest)
    const row = {
      ...stored,
      id,
      teamId: now.team.id,
      ...terms,
      invitedById: now.user.id,
      linkShownToId,
      approved: input.approvedDigest !== undefined,
    }
    // The rule may have been turned on since it was checked.
    const kept = await keepInvitation(row, (tx) => refuseTurnedOn(tx, row.teamId, 'invitation.create', input.approvedDigest))
    if (!kept.ok) return kept
    return { ok: true, data: await mailInvitation(now, { email, role }, link) }
  })
}

function readForm(field: OwnInput['field']): { asked: Asked } | { problem: Problem } {
  const [email, role, end] = [parseEmail(field('email')), field('role'), parseEndDate(field('endsOn'))]
  if (email && isRole(role) && 'endsAt' in end) {
    const everything = role !== 'guest' && field('access') !== 'none'
    return { asked: { email, role, endsAt: end.endsAt, everything } }
  }
  return {
    problem: problem('invalid', {
      fields: {
        ...(!email && { email: invalidEmail }),
        ...(!isRole(role) && { role: 'Choose a role.' }),
        ...('refusal' in end && { endsOn: end.refusal }),
      },
    }),
  }
}
