/** Finds a connection that a user wants to change, by its opaque id. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { listOthersOwn, listUsableConnections } from '@/lib/portal/access/connections'
import { recordDenied } from '@/lib/portal/access/denied'
import { type Keeper, may, mayKeep } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'

/** Whether the team or a user owns a connection. */
export const keeperOf = ({ ownerId }: Pick<Connection, 'ownerId'>): Keeper => (ownerId === null ? 'team' : 'own')

/** The reason why this role may not change it. */
export const formatKeeper = (keeper: Keeper): string =>
  keeper === 'team' ? 'Only a team owner or admin can change the team’s connections.' : 'Your role does not allow personal connections.'

/** An unknown connection or another user's is the same `not_found`; then the role is checked. Logs refusals. */
export async function findKeptConnection(actor: Actor, action: OwnAction, id: string): Promise<Outcome<Connection>> {
  const connection = (await listUsableConnections(actor)).find((each) => each.id === id)
  if (!connection) {
    await recordDenied(actor, action, { kind: 'connection', id }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const keeper = keeperOf(connection)
  if (mayKeep(actor.role, keeper)) return { ok: true, data: connection }
  await recordDenied(actor, action, { kind: 'connection', id }, 'forbidden')
  return { ok: false, problem: problem('forbidden', { sentence: formatKeeper(keeper) }) }
}

/** The same for freezing, thawing and removing: those who keep the team's connections also reach members' own ones, without using them. */
export async function findGoverned(actor: Person, action: OwnAction, id: string): Promise<Outcome<Connection>> {
  const others = may(actor.role, 'teamConnections', 'change') ? await listOthersOwn(actor) : []
  const connection = others.find((each) => each.id === id)
  return connection ? { ok: true, data: connection } : findKeptConnection(actor, action, id)
}
