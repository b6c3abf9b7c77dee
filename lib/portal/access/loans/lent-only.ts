/** Servers and sites that an actor reaches through nothing but lent connections, for what is offered and shown there. */
import 'server-only'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { isSeen, type Right } from '../grants/compile'
import type { Place } from '../grants/grant'
import { lendingOf } from './read'

/** Whether a place is lent, for anything or by a right that `includes` what is wanted, as far as a loan is needed there at all. id: the place's. */
type IsLent = (id: string, place: Place, includes?: (lent: Right) => boolean) => boolean

const anywhere: IsLent = () => true

export async function findLentOnly(actor: Actor, kind: 'server' | 'site'): Promise<IsLent> {
  const { rights } = await lendingOf(actor)
  if (rights.size === 0) return anywhere
  const [teamId, ownerId, lent] = [actor.team.id, actor.kind === 'user' ? actor.user.id : null, [...rights.keys()]]
  const connectionsOf = await cachedUntilWrite(`lent only ${kind} ${teamId} ${ownerId} ${lent.join(' ')}`, () =>
    readLentOnly({ teamId, ownerId, kind, lent }),
  )
  return (id, place, includes = (lent) => isSeen(lent, place)) => {
    const through = connectionsOf.get(id)
    if (through === undefined) return true
    return through.some((connectionId) => {
      const right = rights.get(connectionId)
      return right !== undefined && includes(right)
    })
  }
}

type Wanted = { teamId: string; ownerId: string | null; kind: 'server' | 'site'; lent: string[] }

/** The lent connections that list each, by its id. */
async function readLentOnly({ teamId, ownerId, kind, lent }: Wanted): Promise<Map<string, string[]>> {
  const noOther = { connections: { none: { connection: { teamId, OR: [{ ownerId: null }, { ownerId }] } } } }
  const connectionId = { in: lent }
  const links =
    kind === 'server'
      ? (await db().serverOnConnection.findMany({ where: { connectionId, server: noOther } })).map((link) => [link.serverId, link] as const)
      : (await db().siteOnConnection.findMany({ where: { connectionId, site: noOther } })).map((link) => [link.siteId, link] as const)
  const found = new Map<string, string[]>()
  for (const [id, link] of links) found.set(id, [...(found.get(id) ?? []), link.connectionId])
  return found
}
