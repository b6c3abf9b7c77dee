/** Answers requests of which nothing was missing but the loan of a connection, once that is lent. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { findTarget } from '../change-member'
import { openRequests } from './close'
import { findLacking } from './lacking'
import { findAskedPlace } from './place'
import { tellAnswer } from './tell'
import { aboutOf } from './work'

/** After somebody lent a connection of theirs. Of what they do not see, they answer nothing. */
export async function answerLent(lender: Person): Promise<void> {
  const { team, user, sessionId } = lender
  const open = await db().accessRequest.findMany({ where: { teamId: team.id, userId: { not: user.id }, ...openRequests(new Date()) } })
  for (const row of open) {
    const [asker, place] = await Promise.all([findTarget(team.id, row.userId), findAskedPlace(lender, row.placeKind, row.placeId)])
    if (!asker || !place) continue
    const { granted, lent, lenders } = await findLacking(row, asker.role)
    if (!granted || !lent || !lenders.some(({ id }) => id === user.id)) continue
    const data = { state: 'approved', decidedById: user.id, openKey: null, decidedAt: new Date() } as const
    const { count } = await db().accessRequest.updateMany({ where: { id: row.id, ...openRequests(new Date()) }, data })
    if (count === 0) continue
    const about = aboutOf(row, place)
    const actor = { kind: 'user', id: user.id, sessionId } as const
    const event = { teamId: team.id, actor, action: 'access.approve', stage: 'event', outcome: 'done' } as const
    await recordAudit({ ...event, object: { kind: 'user', id: row.userId }, detail: { email: asker.email, about } })
    await tellAnswer({ ...row, about }, { answer: 'approved', about, by: user.name, until: null })
  }
}
