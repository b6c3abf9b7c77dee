/** Tells members a day before that access of theirs, or a connection that is lent to them, ends. */
import 'server-only'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findMembers, lastingMemberships } from '@/lib/portal/identity/membership'
import { notifyAll } from '@/lib/portal/notifications/notify'
import { formatScopes, type NamedScope } from '@/lib/text/access'
import { toReadableDomain } from '@/lib/text/idn'

/** Of the servers and sites, in a notification. */
const maxNamed = 3

const dayMs = 86_400_000

/** The members who have it, and whoever gave it. Access that was given for less than a day is not announced. */
export async function raiseAccessEndings(now: Date): Promise<void> {
  const include = { scopes: true, membership: { select: { user: true } } } as const
  const ending = await db().grant.findMany({ where: { until: withinADay(now) }, include })
  for (const row of await findUnannounced('access_ending', ending)) {
    const { teamId, userId, role, givenById, membership } = row
    const holders = userId === null ? (role ? await findMembers(teamId, [role]) : []) : await onlyMembers(teamId, [userId])
    const subject = userId === null ? ({ kind: 'team', id: teamId } as const) : ({ kind: 'user', id: userId } as const)
    const event = { teamId, kind: 'access_ending', onceKey: keyOf('access_ending', row), subject } as const
    const endsAt = row.until?.toISOString() ?? ''
    const about = formatScopes(await nameAll(toGrant(row).scopes), maxNamed)
    const givers = givenById === null || holders.includes(givenById) ? [] : await onlyMembers(teamId, [givenById])
    const name = membership?.user.name ?? `everyone with the role ${role}`
    await notifyAll([
      { ...event, userIds: holders, detail: { endsAt, about } },
      { ...event, userIds: givers, detail: { endsAt, name } },
    ])
  }
}

/** Those to whom a connection is lent, and whoever lends it. A loan for less than a day is not announced. */
export async function raiseLoanEndings(now: Date): Promise<void> {
  const include = { connection: true, membership: { select: { user: true } } } as const
  const ending = await db().loan.findMany({ where: { until: withinADay(now) }, include })
  for (const row of await findUnannounced('loan_ending', ending)) {
    const { teamId, userId, role, connection, membership } = row
    const borrowers = userId === null ? await findMembers(teamId, role ? [role] : roles) : await onlyMembers(teamId, [userId])
    const event = {
      teamId,
      kind: 'loan_ending',
      onceKey: keyOf('loan_ending', row),
      subject: { kind: 'connection', id: connection.id },
    } as const
    const detail = { label: connection.label, endsAt: row.until?.toISOString() ?? '' }
    const lenders = connection.ownerId === null ? [] : await onlyMembers(teamId, [connection.ownerId])
    const name = membership?.user.name ?? (role === null ? 'the whole team' : `everyone with the role ${role}`)
    await notifyAll([
      { ...event, userIds: borrowers.filter((id) => id !== connection.ownerId), detail },
      { ...event, userIds: lenders, detail: { ...detail, name } },
    ])
  }
}

type Ending = { id: string; validFrom: Date; until: Date | null }
type EndingKind = 'access_ending' | 'loan_ending'

const withinADay = (now: Date) => ({ gt: now, lte: new Date(now.getTime() + dayMs) })

/** Of what was given for more than a day. */
async function findUnannounced<E extends Ending>(kind: EndingKind, ending: readonly E[]): Promise<E[]> {
  const long = ending.filter(({ validFrom, until }) => (until?.getTime() ?? 0) - validFrom.getTime() > dayMs)
  const onceKey = { in: long.map((each) => keyOf(kind, each)) }
  const reported = await db().notification.findMany({ where: { onceKey }, select: { onceKey: true } })
  const known = new Set(reported.map((row) => row.onceKey))
  return long.filter((each) => !known.has(keyOf(kind, each)))
}

const keyOf = (kind: EndingKind, { id, until }: Ending): string => `${kind} ${id} ${until?.toISOString()}`

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
