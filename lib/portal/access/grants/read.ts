/** The right of an actor at this moment. */
import 'server-only'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { readLabelsNamed } from '@/lib/portal/base/sql/labels'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'
import { compileRight, type Right } from './compile'
import type { Grant, Grantee, Labelled } from './grant'
import { toGrant } from './stored'

type Given = { grants: readonly Grant[]; labels: readonly Labelled[] }

/** Compiled once for each reading of the database; a reading is never changed, so a new one has no right yet. */
const compiled = new WeakMap<Given, Right>()

/** Never stale: grants and labels are read again after any write, and compiled again when one of them begins or ends. */
export const rightOf = (actor: Actor): Promise<Right> =>
  rightOfMember({ teamId: actor.team.id, userId: actor.kind === 'user' ? actor.user.id : null, role: actor.role })

/** The same without an actor, for work whose starter may have signed out. */
export async function rightOfMember({ teamId, ...grantee }: Grantee & { teamId: string }): Promise<Right> {
  const given = await cachedUntilWrite(`grants ${teamId} ${grantee.userId} ${grantee.role}`, () => readGiven(teamId, grantee))
  const now = Date.now()
  const known = compiled.get(given)
  if (known && known.compiledAt <= now && now < known.changesAt) return known
  const right = compileRight(grantee, given.grants, given.labels, now)
  compiled.set(given, right)
  return right
}

/** The same from those grants alone that last until then, or without an end: for what an actor may give on. until: null for no end. */
export async function rightLasting(actor: Actor, until: Date | null): Promise<Right> {
  const grantee: Grantee = { userId: actor.kind === 'user' ? actor.user.id : null, role: actor.role }
  const { grants, labels } = await readGiven(actor.team.id, grantee)
  const lasting = grants.filter((grant) => grant.until === null || (until !== null && grant.until >= until.getTime()))
  return compileRight(grantee, lasting, labels, Date.now())
}

function readGiven(teamId: string, { userId, role }: Grantee): Promise<Given> {
  return readMatching({ teamId, OR: [{ role }, ...(userId === null ? [] : [{ userId }])] })
}

/** All grants of a team, for the rights of several members at once. */
export const readTeamGrants = (teamId: string): Promise<Given> => cachedUntilWrite(`grants ${teamId}`, () => readMatching({ teamId }))

async function readMatching(where: { teamId: string; OR?: Prisma.GrantWhereInput[] }): Promise<Given> {
  const { teamId } = where
  const rows = await db().grant.findMany({ where, include: { scopes: true } })
  const grants = rows.map(toGrant)
  const names = new Set(grants.flatMap(({ scopes }) => scopes.flatMap((scope) => (scope.kind === 'label' ? [scope.name] : []))))
  const labels = names.size === 0 ? [] : await readLabelled(teamId, [...names])
  return { grants, labels }
}

export async function readLabelled(teamId: string, names: readonly string[]): Promise<Labelled[]> {
  return (await readLabelsNamed(teamId, names)).map(([kind, id, name]) => ({ kind, id, name }))
}
