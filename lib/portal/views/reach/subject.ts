/** What a table of reach is about, as far as the reader may see it. */
import 'server-only'
import { listOthersOwn, listUsableConnections } from '@/lib/portal/access/connections'
import type { Within } from '@/lib/portal/access/reach/read'
import { may, mayKeep } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { toReadableDomain } from '@/lib/text/idn'

export type SubjectKind = 'server' | 'site' | 'connection' | 'member'

/** id: opaque. */
export type ReachSubject = { kind: SubjectKind; id: string; name: string }

const kinds: readonly string[] = ['server', 'site', 'connection', 'member'] satisfies SubjectKind[]

const isSubjectKind = (text: unknown): text is SubjectKind => typeof text === 'string' && kinds.includes(text)

/**
 * Those who may change the team see the reach of all that they see; a member sees their own, and the owner of a connection that of the
 * connection. Null for everybody else, as for an id that does not exist.
 */
export async function findSubject(actor: Person, kind: unknown, id: unknown): Promise<ReachSubject | null> {
  if (!isSubjectKind(kind) || !isOpaqueId(id)) return null
  const name = await findName(actor, kind, id)
  return name === null ? null : { kind, id, name }
}

async function findName(actor: Person, kind: SubjectKind, id: string): Promise<string | null> {
  const mayChange = may(actor.role, 'team', 'change')
  if (kind === 'member') return mayChange || id === actor.user.id ? findMember(actor.team.id, id) : null
  if (kind === 'connection') return findConnection(actor, id)
  if (!mayChange) return null
  const name = (await findVisibleNames(actor, kind, [id])).get(id)
  return name === undefined ? null : toReadableDomain(name)
}

async function findMember(teamId: string, userId: string): Promise<string | null> {
  const where = { userId_teamId: { userId, teamId } }
  return (await db().membership.findUnique({ where, select: { user: { select: { name: true } } } }))?.user.name ?? null
}

async function findConnection(actor: Person, id: string): Promise<string | null> {
  const mayChange = may(actor.role, 'team', 'change')
  const others = mayChange ? await listOthersOwn(actor) : []
  const found = [...(await listUsableConnections(actor)), ...others].find((each) => each.id === id)
  const own = found?.ownerId === actor.user.id && mayKeep(actor.role, 'own')
  return found && (mayChange || own) ? found.label : null
}

export function withinOf({ kind, id }: ReachSubject): Within {
  if (kind === 'member') return null
  return kind === 'server' ? { serverId: id } : kind === 'site' ? { siteId: id } : { connectionId: id }
}
