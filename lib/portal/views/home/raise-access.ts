/** Tells members a day before that access of theirs ends. */
import 'server-only'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { findMembers, lastingMemberships } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import { formatScopes, type NamedScope } from '@/lib/text/access'
import { toReadableDomain } from '@/lib/text/idn'

const dayMs = 86_400_000

/** The members who have it, and whoever gave it. Access that was given for less than a day is not announced. */
export async function raiseAccessEndings(now: Date): Promise<void> {
  const until = { gt: now, lte: new Date(now.getTime() + dayMs) }
  const ending = await db().grant.findMany({ where: { until }, include: { scopes: true, membership: { select: { user: true } } } })
  const long = ending.filter((row) => (row.until?.getTime() ?? 0) - row.validFrom.getTime() > dayMs)
  const reported = await db().notification.findMany({ where: { onceKey: { in: long.map(keyOf) } }, select: { onceKey: true } })
  const known = new Set(reported.map(({ onceKey }) => onceKey))
  for (const row of long.filter((each) => !known.has(keyOf(each)))) {
    const { teamId, userId, role, givenById, membership } = row
    const holders = userId === null ? (role ? await findMembers(teamId, [role]) : []) : await onlyMembers(teamId, [userId])
    const subject = userId === null ? ({ kind: 'team', id: teamId } as const) : ({ kind: 'user', id: userId } as const)
    const event = { teamId, kind: 'access_ending', onceKey: keyOf(row), subject } as const
    const endsAt = row.until?.toISOString() ?? ''
    await notify({ ...event, userIds: holders, detail: { endsAt, about: formatScopes(await nameAll(toGrant(row).scopes)) } })
    const givers = givenById === null || holders.includes(givenById) ? [] : await onlyMembers(teamId, [givenById])
    const name = membership?.user.name ?? `everyone with the role ${role}`
    await notify({ ...event, userIds: givers, detail: { endsAt, name } })
  }
}

const keyOf = ({ id, until }: { id: string; until: Date | null }): string => `access_ending ${id} ${until?.toISOString()}`

async function onlyMembers(teamId: string, ids: readonly string[]): Promise<string[]> {
  const where = { teamId, userId: { in: [...ids] }, user: { disabledAt: null }, ...lastingMemberships() }
  return (await db().membership.findMany({ where, select: { userId: true } })).map(({ userId }) => userId)
}

/** For those who have the access, and so may know the names. */
async function nameAll(scopes: readonly GrantScope[]): Promise<NamedScope[]> {
  const ids = scopes.flatMap((scope) => ('id' in scope ? [scope.id] : []))
  const where = { id: { in: ids }, goneAt: null }
  const [servers, sites] = await Promise.all([
    db().server.findMany({ where, select: { id: true, name: true } }),
    db().site.findMany({ where, select: { id: true, domain: true } }),
  ])
  const names = new Map([
    ...servers.map(({ id, name }) => [id, name] as const),
    ...sites.map(({ id, domain }) => [id, toReadableDomain(domain)] as const),
  ])
  return scopes.flatMap((scope): NamedScope[] => {
    if (!('id' in scope)) return [scope]
    const name = names.get(scope.id)
    return name === undefined ? [] : [{ kind: scope.kind, name }]
  })
}
