/** The link of an invitation: its token, its life and the mail that carries it. */
import 'server-only'
import { roleNames } from '@/lib/portal/access/roles'
import { type MailOutcome, sendMail, sendsMail } from '@/lib/portal/base/mail/send'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { createToken, hashToken } from '@/lib/portal/identity/token'
import { getSettings } from '@/lib/settings/settings'

const lifeMs = 24 * 60 * 60_000

/** link: shown once and mailed; only the hash is stored. */
export type InvitationLink = { link: string; tokenHash: string; expiresAt: Date }

/** The result of inviting: the link to copy, and whether it was mailed. */
export type Invited = { email: string; link: string; mail: MailOutcome }

/** Begins with the configured public address, never with one from the request. */
export function createInvitationLink(): InvitationLink {
  const token = createToken()
  const url = new URL('/invite', getSettings().publicUrl)
  url.searchParams.set('token', token)
  return { link: url.href, tokenHash: hashToken(token), expiresAt: new Date(Date.now() + lifeMs) }
}

/**
 * Who could use the link of an invitation that a second person approved, besides the invited: whoever takes it. Where mail is sent, nobody is shown it.
 * Without a second person, whoever may invite can make accounts alone anyway.
 */
export const shownTo = ({ user }: Person, approvedDigest: string | undefined): string | null =>
  approvedDigest === undefined || sendsMail() ? null : user.id

/** A mail that fails leaves the link to be copied. */
export async function mailInvitation(
  { team, user }: Person,
  { email, role }: { email: string; role: Role },
  link: string,
): Promise<Invited> {
  const text = [
    `${user.name} invites you to join ${team.name} on Gatehouse as ${roleNames[role]}.`,
    `Accept within 24 hours; the link works once:\n${link}`,
    'If you did not expect this invitation, ignore this mail.',
  ].join('\n\n')
  return { email, link, mail: await sendMail({ to: email, subject: `Invitation to ${team.name}`, text: `${text}\n` }) }
}
