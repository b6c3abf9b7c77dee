/** What a member keeps and made on servers, as far as connections and the audit log tell: to be removed once they have gone. */
import 'server-only'
import { may } from '@/lib/portal/access/roles'
import { findSight, findVisibleNames } from '@/lib/portal/access/visible'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'

/** what: a name that the audit log gives, such as a cron job's; empty if it gives none. at: ISO. */
export type Trace = {
  id: string
  kind: 'sshKey' | 'cronJob' | 'systemUser'
  serverId: string
  serverName: string
  /** Whether the reader may open the server; a connection of somebody's own lists servers that others do not see. */
  open: boolean
  what: string
  at: string
}

export type LeftBehind = {
  name: string
  email: string
  /** Whether they are still a member. */
  member: boolean
  connections: { id: string; label: string; frozen: boolean }[]
  targets: { id: string; label: string; frozen: boolean }[]
  traces: Trace[]
}

const kinds = { 'cron.save': 'cronJob', 'servers.create': 'sshKey', 'servers.resetKey': 'sshKey', 'users.save': 'systemUser' } as const

const maxRows = 500

/** Null for everybody who may not change the team, and for a user who never was a member, as far as the audit log tells. */
export async function findLeftBehind(actor: Person, userId: unknown): Promise<LeftBehind | null> {
  if (!may(actor.role, 'team', 'change') || !isOpaqueId(userId)) return null
  const teamId = actor.team.id
  const [user, connections, targets, rows, removals] = await Promise.all([
    db().user.findUnique({ where: { id: userId }, select: { name: true, email: true, memberships: { where: { teamId } } } }),
    db().connection.findMany({ where: { teamId, ownerId: userId }, select: { id: true, label: true, frozenAt: true } }),
    db().backupTarget.findMany({ where: { teamId, ownerId: userId }, select: { id: true, label: true, frozenAt: true } }),
    readRows(teamId, userId),
    countRemovals(teamId, userId),
  ])
  const left = connections.length + targets.length + rows.length + removals
  if (!user || (user.memberships.length === 0 && left === 0)) return null
  return {
    name: user.name,
    email: user.email,
    member: user.memberships.length > 0,
    connections: connections.map(({ frozenAt, ...rest }) => ({ ...rest, frozen: frozenAt !== null })),
    targets: targets.map(({ frozenAt, ...rest }) => ({ ...rest, frozen: frozenAt !== null })),
    traces: await resolve(actor, rows),
  }
}

const countRemovals = (teamId: string, objectId: string): Promise<number> =>
  db().auditRow.count({ where: { teamId, objectKind: 'user', objectId, action: 'member.remove', outcome: 'done' } })

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** Outcomes that say done, newest first; of a long history the newest part. */
const readRows = (teamId: string, actorId: string) =>
  db()
    .auditRow.findMany({
      where: { teamId, actorId, action: { in: Object.keys(kinds) }, stage: 'outcome', outcome: 'done' },
      select: { requestId: true },
      orderBy: { seq: 'desc' },
      take: maxRows,
    })
    .then((rows) =>
      db().auditRow.findMany({
        where: { teamId, requestId: { in: rows.map(({ requestId }) => requestId) }, stage: 'intent' },
        select: { seq: true, at: true, action: true, objectKind: true, objectId: true, detail: true },
        orderBy: { seq: 'desc' },
      }),
    )

/** One trace per thing and server that still exists, unless somebody deleted the thing later. */
async function resolve(actor: Person, rows: readonly Row[]): Promise<Trace[]> {
  const teamId = actor.team.id
  const created = await findCreated(teamId, rows)
  const found = rows.flatMap((row) => {
    const kind = isKind(row.action) ? kinds[row.action] : null
    const servers = row.objectKind === 'server' ? [row.objectId] : (created.get(row.seq) ?? [])
    return kind === null
      ? []
      : servers.map((serverId) => ({ seq: row.seq, kind, serverId, what: whatOf(row, kind), at: row.at.toISOString() }))
  })
  const ids = [...new Set(found.map(({ serverId }) => serverId))]
  const [visible, sees, servers, deletions] = await Promise.all([
    findVisibleNames(actor, 'server', ids),
    findSight(actor),
    db().server.findMany({ where: { teamId, goneAt: null, id: { in: ids } }, select: { id: true, name: true } }),
    readDeletions(teamId, ids, Math.min(...rows.map(({ seq }) => seq))),
  ])
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  const traces = new Map<string, Trace>()
  for (const { seq, ...trace } of found) {
    const [serverName, id] = [names.get(trace.serverId), `${trace.kind} ${trace.serverId} ${trace.what}`]
    if (serverName === undefined || !sees({ kind: 'server', serverId: trace.serverId }) || traces.has(id) || (deletions.get(id) ?? 0) > seq)
      continue
    traces.set(id, { ...trace, id, serverName, open: visible.has(trace.serverId) })
  }
  return [...traces.values()]
}

/** A cron job or system user, as the log describes it; empty for an SSH key, whose entry names the user it signs in as. */
function whatOf({ detail }: Pick<Row, 'detail'>, kind: Trace['kind']): string {
  if (kind === 'sshKey') return ''
  const { about, 'field.user': user } = readDetail(detail)
  return [about, user].find((each) => typeof each === 'string') ?? ''
}

/** The newest deletion of each thing by anybody since the entry `since`, as the number of its entry, by the trace's id. */
async function readDeletions(teamId: string, serverIds: string[], since: number): Promise<ReadonlyMap<string, number>> {
  if (serverIds.length === 0) return new Map()
  const of = { teamId, objectId: { in: serverIds }, action: { in: ['cron.delete', 'users.delete'] }, seq: { gt: since } }
  const done = await db().auditRow.findMany({ where: { ...of, stage: 'outcome', outcome: 'done' }, select: { requestId: true } })
  const rows = await db().auditRow.findMany({
    where: { ...of, stage: 'intent', requestId: { in: done.map(({ requestId }) => requestId) } },
    select: { seq: true, action: true, objectId: true, detail: true },
    orderBy: { seq: 'asc' },
  })
  const kindOf = (action: string): Trace['kind'] => (action === 'cron.delete' ? 'cronJob' : 'systemUser')
  return new Map(
    rows.map((row) => {
      const kind = kindOf(row.action)
      return [`${kind} ${row.objectId} ${whatOf(row, kind)}`, row.seq]
    }),
  )
}

const isKind = (action: string): action is keyof typeof kinds => Object.hasOwn(kinds, action)

/** The servers that were added, by the entry's number. The log has only the name that was given: of two of that name, both. */
async function findCreated(teamId: string, rows: readonly Row[]): Promise<Map<number, string[]>> {
  const given = rows.flatMap(({ seq, action, detail }) => {
    const name = action === 'servers.create' ? readDetail(detail)['field.name'] : undefined
    return typeof name === 'string' ? [{ seq, name }] : []
  })
  const servers = await db().server.findMany({
    where: { teamId, goneAt: null, name: { in: given.map(({ name }) => name) } },
    select: { id: true, name: true },
  })
  return new Map(given.map(({ seq, name }) => [seq, servers.filter((each) => each.name === name).map(({ id }) => id)]))
}
