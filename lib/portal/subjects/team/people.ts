/** The people of a team, for filters and the palette. */
import 'server-only'
import { may } from '@/lib/portal/access/roles'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

export type ListedPerson = { id: string; name: string; former: boolean }

/** For a guest, only themselves; else the members, then former members who did something in this team; each by name. */
export async function listPeople({ role, user, team: { id: teamId } }: Person): Promise<ListedPerson[]> {
  if (!may(role, 'team', 'read')) return [{ id: user.id, name: user.name, former: false }]
  return cachedUntilWrite(`people ${teamId}`, async () => {
    const own = { some: { teamId } }
    const [members, others] = await Promise.all([findUsers({ memberships: own }), findUsers({ memberships: { none: { teamId } } })])
    const seen = others.length === 0 ? new Set() : await findActing(teamId, others)
    const former = others.filter(({ id }) => seen.has(id))
    return [...members.map((one) => ({ ...one, former: false })), ...former.map((one) => ({ ...one, former: true }))]
  })
}

const findUsers = (where: Prisma.UserWhereInput) =>
  db().user.findMany({ where, select: { id: true, name: true }, orderBy: { name: 'asc' } })

/** Which of these users the team's audit log names as actors. */
async function findActing(teamId: string, users: readonly { id: string }[]): Promise<Set<string | null>> {
  const where = { teamId, actorKind: 'user', actorId: { in: users.map(({ id }) => id) } } as const
  return new Set((await db().auditRow.groupBy({ by: ['actorId'], where })).map(({ actorId }) => actorId))
}
