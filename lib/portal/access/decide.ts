/** Decides whether an actor may run an operation on a target, and returns the rows and the connection to use. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection, Server, Site } from '@/prisma/generated/portal/client'
import { refuseUnconfirmed } from './confirm'
import { canAct, chooseConnection, keepUsable, listLentConnections, listUsableConnections, ownerOf, readCandidates } from './connections'
import { recordDenied, recordDeniedRead } from './denied'
import { isAllowed, isSeen, type Right, seesAnything } from './grants/compile'
import type { Place } from './grants/grant'
import { needOf, targetKindOf } from './grants/needs'
import { rightOf } from './grants/read'
import { findLentOnly } from './loans/lent-only'
import { mayRun } from './roles'

/** The target of an operation, by the portal's own opaque ids. */
export type Target = { serverId?: string; siteId?: string; connectionId?: string }

export type Decision = {
  connection: Connection
  server: Server | null
  site: Site | null
  /** The target's name in the audit log, in jobs and for the typed confirmation; empty if the target is a whole connection. */
  name: string
  /** For the audit log: kind and opaque id. */
  object: { kind: 'server' | 'site' | 'connection'; id: string }
  /** The service's own ids, for the path of the call. */
  pathParameters: Record<string, string>
}

/** fields: the operation's request fields. confirmName: the user's typed confirmation. */
export type Given = { fields?: Readonly<Record<string, unknown>>; confirmName?: string | undefined }

/** open: the request does not name a connection. */
type ResolvedTarget = Omit<Decision, 'connection'> & { ranked: readonly Connection[]; open?: boolean }

/**
 * Checks the role, then ownership, then grants, then loans, then the typed confirmation, then the API key. Targets that are deleted, unknown,
 * another team's or out of the actor's sight all give the same `not_found`. Logs a refusal once per user, object and minute; does not log
 * reads of unknown ids.
 */
export async function decide(actor: Actor, operation: Operation, target: Target, given: Given = {}): Promise<Outcome<Decision>> {
  const targetKind = targetKindOf(operation)
  const attempted = {
    kind: targetKind,
    id: targetKind === 'server' ? target.serverId : targetKind === 'site' ? target.siteId : target.connectionId,
  }
  if (!mayRun(actor.role, operation.effect)) {
    await recordDenied(actor, operation.id, attempted, 'forbidden')
    return refuse(problem('forbidden'))
  }
  const [found, right] = [await resolveTarget(actor, targetKind, target, operation.effect === 'read'), await rightOf(actor)]
  const resolved = found && isInSight(right, operation, found) ? found : null
  if (!resolved) {
    if (operation.effect === 'read') await recordDeniedRead(actor, operation.id, attempted)
    else await recordDenied(actor, operation.id, attempted, 'not_found')
    return refuse(problem('not_found'))
  }
  if (!isGranted(right, operation, resolved)) {
    await recordDenied(actor, operation.id, attempted, 'forbidden')
    return refuse(notIncluded)
  }
  const usable = await keepUsable(actor, resolved.ranked, toPlace(resolved), needOf(operation))
  if (usable.length === 0 && resolved.ranked.length > 0) {
    await recordDenied(actor, operation.id, attempted, 'forbidden')
    return refuse(notLent)
  }
  const unconfirmed = refuseUnconfirmed(operation, { name: resolved.name, fields: given.fields ?? {}, typed: given.confirmName })
  if (unconfirmed) return refuse(unconfirmed)
  const { ranked: _, ...rest } = resolved
  if (resolved.open && usable.filter(canAct).length > 1) {
    return refuse(problem('invalid', { fields: { connectionId: 'Choose the connection to use.' } }))
  }
  const chosen = await chooseConnection(usable)
  if ('problem' in chosen) return refuse(chosen.problem)
  const { connection } = chosen
  if (resolved.object.kind !== 'connection') return { ok: true, data: { ...rest, connection } }
  return { ok: true, data: { ...rest, object: { ...resolved.object, id: connection.id }, name: connection.label, connection } }
}

const notIncluded = problem('forbidden', { sentence: 'Your access does not include this.' })

const notLent = problem('forbidden', { sentence: 'No connection is lent to you for this.' })

type Where = Pick<Decision, 'server' | 'site'>

/** A site's server is known by its row, or else unknown. */
function toPlace({ server, site }: Where): Place {
  if (site) return { kind: 'site', siteId: site.id, serverId: site.serverId }
  return server ? { kind: 'server', serverId: server.id } : { kind: 'everywhere' }
}

function isInSight(right: Right, operation: Operation, where: Where): boolean {
  const place = toPlace(where)
  return place.kind === 'everywhere' ? operation.effect !== 'read' || seesAnything(right) : isSeen(right, place)
}

/** A read of no server or site lists some, and the answer has only those that the actor sees. */
function isGranted(right: Right, operation: Operation, where: Where): boolean {
  const place = toPlace(where)
  if (place.kind === 'everywhere' && operation.effect === 'read') return seesAnything(right)
  return isAllowed(right, needOf(operation), place)
}

/** Whether role, grants and loans of the actor, as they are now, still allow what was decided. */
export async function isStillGranted(actor: Actor, operation: Operation, decision: Where & Pick<Decision, 'connection'>): Promise<boolean> {
  if (!isGranted(await rightOf(actor), operation, decision)) return false
  return (await keepUsable(actor, [decision.connection], toPlace(decision), needOf(operation))).length > 0
}

/** Which of these servers or sites the actor may run an operation on. For what is offered; the spine decides again. */
export async function findGranted(
  actor: Actor,
  operation: Operation,
  target: 'server' | 'site',
  ids: readonly string[],
): Promise<Set<string>> {
  const [right, isLent] = await Promise.all([rightOf(actor), findLentOnly(actor, target)])
  const need = needOf(operation)
  const may = (id: string, place: Place) => isAllowed(right, need, place) && isLent(id, place, (lent) => isAllowed(lent, need, place))
  if (target === 'server') return new Set(ids.filter((serverId) => may(serverId, { kind: 'server', serverId })))
  const servers = await findServersOfSites(ids)
  return new Set(ids.filter((siteId) => may(siteId, { kind: 'site', siteId, serverId: servers.get(siteId) ?? null })))
}

/**
 * What the actor may do at a server or site, or with a service as a whole. For what pages offer; the spine decides again.
 */
export async function findOffers(actor: Actor, { serverId, siteId }: Target = {}): Promise<(operation: Operation) => boolean> {
  const right = await rightOf(actor)
  if (siteId === undefined && serverId === undefined) return (operation) => isAllowed(right, needOf(operation), { kind: 'everywhere' })
  const [kind, id] = siteId === undefined ? (['server', serverId ?? ''] as const) : (['site', siteId] as const)
  const isLent = await findLentOnly(actor, kind)
  const place: Place =
    kind === 'server' ? { kind, serverId: id } : { kind, siteId: id, serverId: (await findServersOfSites([id])).get(id) ?? null }
  return (operation) => {
    const need = needOf(operation)
    return isAllowed(right, need, place) && isLent(id, place, (lent) => isAllowed(lent, need, place))
  }
}

const refuse = (why: Problem): { ok: false; problem: Problem } => ({ ok: false, problem: why })

type TargetKind = Decision['object']['kind']

function resolveTarget(actor: Actor, targetKind: TargetKind, target: Target, reads: boolean): Promise<ResolvedTarget | null> {
  if (targetKind === 'server') return resolveServer(actor, target.serverId)
  return targetKind === 'site' ? resolveSite(actor, target.siteId) : resolveConnection(actor, target, reads)
}

/** A server of the team, if at least one usable connection lists it. */
async function resolveServer(actor: Actor, id: unknown): Promise<ResolvedTarget | null> {
  if (!isOpaqueId(id)) return null
  const [scope, place] = [{ teamId: actor.team.id, ownerId: ownerOf(actor) }, { kind: 'server', serverId: id } as const]
  const [server, candidates] = await cachedUntilWrite(`server ${scope.teamId} ${scope.ownerId} ${id}`, () =>
    Promise.all([db().server.findFirst({ where: { id, teamId: actor.team.id, goneAt: null } }), readCandidates(scope, place)]),
  )
  const ranked = await keepUsable(actor, candidates, place)
  if (!server || ranked.length === 0) return null
  return { ranked, server, site: null, name: server.name, object: { kind: 'server', id }, pathParameters: { server_id: server.upstreamId } }
}

/** A site of the team, if at least one usable connection lists it. */
async function resolveSite(actor: Actor, id: unknown): Promise<ResolvedTarget | null> {
  if (!isOpaqueId(id)) return null
  const [where, scope] = [
    { id, teamId: actor.team.id, goneAt: null },
    { teamId: actor.team.id, ownerId: ownerOf(actor) },
  ]
  const [site, candidates] = await cachedUntilWrite(`site ${scope.teamId} ${scope.ownerId} ${id}`, () =>
    Promise.all([
      db().site.findFirst({ where, include: { server: true } }),
      readCandidates(scope, { kind: 'site', siteId: id, serverId: null }),
    ]),
  )
  const ranked = site ? await keepUsable(actor, candidates, { kind: 'site', siteId: id, serverId: site.serverId }) : []
  if (!site || ranked.length === 0) return null
  const { server, ...row } = site
  return { ranked, server, site: row, name: site.domain, object: { kind: 'site', id }, pathParameters: { site_id: site.upstreamId } }
}

/**
 * The requested connection, or the only usable one. If a server or site is given as well (for a new site, or for copies of these), it is the place
 * of the work, and a connection that lists it is used. A lent one is only read through, and unless it is requested, only where there is no other.
 */
async function resolveConnection(actor: Actor, target: Target, reads: boolean): Promise<ResolvedTarget | null> {
  const { serverId, siteId, connectionId } = target
  if (serverId !== undefined || siteId !== undefined) {
    const resolved = await (siteId === undefined ? resolveServer(actor, serverId) : resolveSite(actor, siteId))
    const ranked = resolved?.ranked.filter(({ id }) => connectionId === undefined || id === connectionId) ?? []
    return resolved && { ...resolved, ranked, pathParameters: {} }
  }
  const own = await listUsableConnections(actor)
  const lent = reads && (target.connectionId !== undefined || own.length === 0) ? await listLentConnections(actor) : []
  const usable = [...own, ...lent]
  const ranked = target.connectionId === undefined ? usable : usable.filter(({ id }) => id === target.connectionId)
  if (target.connectionId !== undefined && ranked.length === 0) return null
  const object = { kind: 'connection' as const, id: ranked[0]?.id ?? '' }
  const open = target.connectionId === undefined
  return { ranked, open, server: null, site: null, name: ranked[0]?.label ?? '', object, pathParameters: {} }
}
