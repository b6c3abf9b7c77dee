/** Tells those who can approve that somebody asks for access, and them and whoever asked what the answer is: in the bell, which their channels send on. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { findNotified, notify, notifyAll } from '@/lib/portal/notifications/notify'
import { formatMinutes } from '@/lib/text/access-requests'
import { toReadableDomain } from '@/lib/text/idn'
import type { AccessRequest } from '@/prisma/generated/portal/client'
import type { Approver } from './approvers'
import type { Lender } from './reached'
import { aboutOf } from './work'

type Told = Pick<AccessRequest, 'id' | 'teamId' | 'userId' | 'placeKind' | 'placeId' | 'page'>

export type Asked = Told & { name: string; about: string; minutes: number | null }

const askedKey = (id: string): string => `access_asked ${id}`

/** Each once: whoever could give the access answers on the page of requests, and whoever could only lend their connection does that on its page. */
export async function tellApprovers(asked: Asked, approvers: readonly Approver[], lenders: readonly Lender[]): Promise<void> {
  const { id, teamId, name, about, minutes } = asked
  const detail = { name, about, long: formatMinutes(minutes) }
  const event = { teamId, kind: 'access_asked', onceKey: askedKey(id), ...subjectOf(asked) } as const
  const told = new Set(approvers.map((each) => each.id))
  await notifyAll([
    { ...event, userIds: [...told], detail },
    ...lenders
      .filter((each) => !told.has(each.id))
      .map((lender) => ({
        ...event,
        userIds: [lender.id],
        detail: { ...detail, lend: lender.label, page: `/keys/${lender.connectionId}` },
      })),
  ])
}

/** about: what was given, or else what was asked for. until: null if it has no end. */
export type Answer =
  | { answer: 'approved'; about: string; by: string; until: Date | null }
  | { answer: 'refused'; about: string; by: string; reason: string }

/** about: what was asked for, which the others saw; what was given may name more than they see. */
export async function tellAnswer(asked: Told & { about: string }, answer: Answer): Promise<void> {
  const end = answer.answer === 'approved' && answer.until ? { endsAt: answer.until.toISOString() } : {}
  const reason = answer.answer === 'refused' ? { reason: answer.reason } : {}
  const detail = { answer: answer.answer, about: answer.about, by: answer.by, ...end, ...reason }
  await Promise.all([answered(asked, detail), tellOthers(asked, { ...detail, about: asked.about })])
}

/** Whoever else could have answered need not look any more. */
async function tellOthers(asked: Told, detail: Readonly<Record<string, string>>): Promise<void> {
  const { id, teamId, userId } = asked
  const [asker, decided, notified] = await Promise.all([
    db().user.findUnique({ where: { id: userId }, select: { name: true } }),
    db().accessRequest.findUnique({ where: { id }, select: { decidedById: true } }),
    findNotified(askedKey(id)),
  ])
  const event = { teamId, kind: 'access_answered', onceKey: `access_answered ${id}`, ...subjectOf(asked) } as const
  const userIds = notified.filter((each) => each !== decided?.decidedById && each !== userId)
  await notify({ ...event, userIds, detail: { ...detail, asker: asker?.name ?? 'a former member' } })
}

/** The name is the one that whoever asked saw; a server or site that is gone has none. */
export async function tellExpired(request: AccessRequest): Promise<void> {
  const { placeKind, placeId: id } = request
  if (placeKind === 'nowhere') return answered(request, { answer: 'expired', about: aboutOf(request, null) })
  const found =
    placeKind === 'server'
      ? await db().server.findUnique({ where: { id }, select: { name: true } })
      : await db().site.findUnique({ where: { id }, select: { domain: true } })
  const name = found === null ? null : 'name' in found ? found.name : toReadableDomain(found.domain)
  await answered(request, { answer: 'expired', about: aboutOf(request, { kind: placeKind, name }) })
}

function answered(asked: Told, detail: Readonly<Record<string, string>>): Promise<void> {
  const { id, teamId, userId, page } = asked
  const event = { teamId, kind: 'access_answered', onceKey: `access_answered ${id}`, ...subjectOf(asked) } as const
  return notify({ ...event, userIds: [userId], detail: { ...detail, page } })
}

const subjectOf = ({ placeKind: kind, placeId: id }: Told) => (kind === 'nowhere' ? {} : ({ subject: { kind, id } } as const))
