/** Tells those who can approve that somebody asks for access, and whoever asked what the answer is: in the bell and by mail. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { sendMail, sendsMail } from '@/lib/portal/base/mail/send'
import { notify } from '@/lib/portal/notifications/notify'
import { getSettings } from '@/lib/settings/settings'
import { formatAccess } from '@/lib/text/access'
import { formatMinutes } from '@/lib/text/access-requests'
import { toReadableDomain } from '@/lib/text/idn'
import { formatMinute } from '@/lib/text/minute'
import type { AccessRequest } from '@/prisma/generated/portal/client'
import type { Approver } from './approvers'
import { workOf } from './work'

type Told = Pick<AccessRequest, 'id' | 'teamId' | 'userId' | 'placeKind' | 'placeId' | 'page'>

export type Asked = Told & { name: string; about: string; minutes: number | null; why: string }

/** A mail that fails changes nothing: the bell has it. Nobody waits for the mail server. */
export async function tellApprovers(asked: Asked, approvers: readonly Approver[]): Promise<void> {
  const { id, teamId, placeKind: kind, placeId, name, about, minutes, why } = asked
  const detail = { name, about, long: formatMinutes(minutes) }
  const event = { teamId, kind: 'access_asked', onceKey: `access_asked ${id}`, subject: { kind, id: placeId } } as const
  await notify({ ...event, userIds: approvers.map((each) => each.id), detail })
  const text = [
    `${name} asks for access: to ${about}, ${formatMinutes(minutes)}.`,
    `Reason: ${why}`,
    `Approve or refuse it in Gatehouse:\n${addressOf('/team/requests')}`,
  ]
  for (const { email } of approvers) mail(email, `${name} asks for access`, text)
}

/** about: what was given, or else what was asked for. until: null if it has no end. */
export type Answer =
  | { answer: 'approved'; about: string; by: string; until: Date | null }
  | { answer: 'refused'; about: string; by: string; reason: string }

export async function tellAsker(asked: Told & { email: string }, answer: Answer): Promise<void> {
  const end = answer.answer === 'approved' && answer.until ? { endsAt: answer.until.toISOString() } : {}
  const reason = answer.answer === 'refused' ? { reason: answer.reason } : {}
  await answered(asked, { answer: answer.answer, about: answer.about, by: answer.by, ...end, ...reason })
  const said =
    answer.answer === 'approved'
      ? `${answer.by} approved your request: you can ${answer.about}${answer.until ? `, until ${formatMinute(answer.until)}` : ''}.`
      : `${answer.by} refused your request to ${answer.about}.\n\nReason: ${answer.reason}`
  mail(asked.email, answer.answer === 'approved' ? 'Your access was approved' : 'Your access was refused', [said, addressOf(asked.page)])
}

/** The name is the one that whoever asked saw; a server or site that is gone has none. */
export async function tellExpired(request: AccessRequest): Promise<void> {
  const { placeKind, placeId: id } = request
  const found =
    placeKind === 'server'
      ? await db().server.findUnique({ where: { id }, select: { name: true } })
      : await db().site.findUnique({ where: { id }, select: { domain: true } })
  const name = found === null ? null : 'name' in found ? found.name : toReadableDomain(found.domain)
  await answered(request, { answer: 'expired', about: formatAccess(workOf(request), [{ kind: placeKind, name }]) })
}

function answered({ id, teamId, userId, placeKind, placeId, page }: Told, detail: Readonly<Record<string, string>>): Promise<void> {
  const subject = { kind: placeKind, id: placeId } as const
  const event = { teamId, kind: 'access_answered', onceKey: `access_answered ${id}`, subject } as const
  return notify({ ...event, userIds: [userId], detail: { ...detail, page } })
}

const addressOf = (path: string): string => new URL(path, getSettings().publicUrl).href

function mail(to: string, subject: string, parts: readonly string[]): void {
  // Line breaks in a name must not add a line to the mail's head; sendMail's library refuses them there as well.
  if (sendsMail()) void sendMail({ to, subject: subject.replace(/\s+/g, ' '), text: `${parts.join('\n\n')}\n` })
}
