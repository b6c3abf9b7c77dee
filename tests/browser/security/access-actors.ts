/** Members whose rights come from grants and loans: what each may reach is set up for the place of one case. */
import { toColumns } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { GrantScopeKind } from '@/prisma/generated/portal/client'
import type { Estate, Person } from './estate'
import { absentId } from './ids'
import { type Fields, freshConnection } from './permission-cases'

type CasePlace = { kind: 'server' | 'site'; id: string }

/** The server or site that the fields of a case name; null for what acts on neither. */
export function placeOf({ siteId, serverId, ids }: Fields): CasePlace | null {
  if (siteId !== undefined) return { kind: 'site', id: siteId }
  const id = serverId ?? ids
  return id === undefined ? null : { kind: 'server', id }
}

/**
 * Guests: `guest` without any grant, `elsewhere` with one over something else, `expired` with one over everything that has ended, `granted`
 * with one over the place alone. Operators with everything: `borrower` to whom an owner's connection is lent, `frozen` whose connection is frozen.
 */
export type AccessActors = Record<'guest' | 'elsewhere' | 'expired' | 'granted' | 'borrower' | 'frozen', Person> & {
  lentConnection: string
  frozenConnection: string
}

const work = toColumns({ subjects: 'all', effects: ['read', 'export', 'change', 'destroy'], operations: [], root: true })

async function give(estate: Estate, { userId }: Person, kind: GrantScopeKind, about: string, until: Date | null = null): Promise<string> {
  const row = { id: createOpaqueId(), teamId: estate.teams.ours.id, userId, ...work, validFrom: new Date(0), until }
  await db().grant.create({ data: { ...row, scopes: { create: { kind, about } } } })
  return row.id
}

/** The use of a connection everywhere. */
export async function lendTo({ teams }: Estate, { userId }: Person, connectionId: string): Promise<void> {
  const loan = { id: createOpaqueId(), teamId: teams.ours.id, connectionId, userId }
  await db().loan.create({ data: { ...loan, ...work, validFrom: new Date(0), scopes: { create: { kind: 'everything' } } } })
}

export async function freeze({ owner }: Estate, connectionId: string): Promise<void> {
  await db().connection.update({ where: { id: connectionId }, data: { frozenAt: new Date(), frozenById: owner.userId } })
}

/** With access that ended a moment ago. */
export const giveEnded = (estate: Estate, person: Person): Promise<string> =>
  give(estate, person, 'everything', '', new Date(Date.now() - 1))

export async function gatherAccessActors(estate: Estate): Promise<AccessActors> {
  const [guest, elsewhere, expired, granted, borrower, frozen] = await Promise.all([
    ...(['guest', 'guest', 'guest', 'guest'] as const).map((role) => estate.join('ours', role)),
    ...(['operator', 'operator'] as const).map((role) => estate.join('ours', role)),
  ])
  if (!guest || !elsewhere || !expired || !granted || !borrower || !frozen) throw new Error('Somebody did not join.')
  await give(estate, elsewhere, 'server', absentId)
  await giveEnded(estate, expired)
  const [{ connectionId: lentConnection = '' }, { connectionId: frozenConnection = '' }] = [
    await freshConnection(estate, estate.owner.userId),
    await freshConnection(estate),
  ]
  await lendTo(estate, borrower, lentConnection)
  await freeze(estate, frozenConnection)
  return { guest, elsewhere, expired, granted, borrower, frozen, lentConnection, frozenConnection }
}

export const grantAt = (estate: Estate, person: Person, { kind, id }: CasePlace): Promise<string> => give(estate, person, kind, id)

/** From now on, no other connection lists the place. */
export async function listOnlyBy(connectionId: string, { kind, id }: CasePlace): Promise<void> {
  if (kind === 'server') await db().serverOnConnection.updateMany({ where: { serverId: id }, data: { connectionId } })
  else await db().siteOnConnection.updateMany({ where: { siteId: id }, data: { connectionId } })
}
