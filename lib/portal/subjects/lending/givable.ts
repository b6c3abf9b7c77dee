/** Whether whoever lends may give the borrowers access as well, and what these have; for the dialog that lends. */
import 'server-only'
import { isFull } from '@/lib/portal/access/grants/compile'
import { rightLasting } from '@/lib/portal/access/grants/read'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { may, mayManage, roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import type { NamedScope } from '@/lib/text/access'
import { listGranters } from '../team/access/granters'
import { nameScopes } from '../team/access/scopes'

/** Access that is valid now. until: ISO; null: no end. */
export type HeldAccess = {
  subjects: 'all' | readonly string[]
  effects: readonly string[]
  root: boolean
  scopes: readonly NamedScope[]
  until: string | null
}

/** What each of the members has who would borrow, if the actor may give them more; else why not, in a sentence. */
export type Givable = { has: readonly (readonly HeldAccess[])[] } | { refusal: string }

type Borrower = { kind: 'member'; id: string; role: Role } | { kind: 'role'; role: Role } | { kind: 'team' }

/** In the order of the borrowers, among which all members are who are not the actor. */
export async function findGivable(actor: Person, borrowers: readonly Borrower[]): Promise<Givable[]> {
  const all = await refuseAll(actor)
  if (all !== null) return borrowers.map(() => ({ refusal: all }))
  const given = await readGiven(actor)
  return borrowers.map((borrower): Givable => {
    if (borrower.kind === 'team') return { refusal: 'To give access as well, choose a member or a role.' }
    const { role } = borrower
    if (!mayManage(actor.role, role)) return { refusal: 'Only an owner can give access to owners.' }
    const concerned = borrower.kind === 'member' ? [borrower] : borrowers.filter((each) => each.kind === 'member' && each.role === role)
    const holders = concerned.length === 0 ? [borrower] : concerned
    const isFor = (to: string, holder: Borrower) => to === `role ${role}` || (holder.kind === 'member' && to === holder.id)
    return { has: holders.map((holder) => given.filter(({ to }) => isFor(to, holder)).map(({ access }) => access)) }
  })
}

async function refuseAll(actor: Person): Promise<string | null> {
  if (!may(actor.role, 'team', 'change')) {
    const names = await listGranters(actor)
    const said = names.length === 0 || names.length > 3 ? ['A team owner or admin'] : names
    return `${said.length === 1 ? said[0] : `${said.slice(0, -1).join(', ')} or ${said.at(-1)}`} can give them access.`
  }
  if (await needsSecondPerson(actor.team.id, 'access.give'))
    return 'Access needs a second person here. Give it separately, on the page Team.'
  // Access above their own is refused, and the loan with it, so it is not proposed to those who may have to leave a part out.
  const limited = actor.role !== 'owner' && !isFull(await rightLasting(actor, null))
  return limited ? 'Your own access has limits. Give theirs on the page Team, or ask an owner.' : null
}

/** to: the id of a member, or "role NAME". */
async function readGiven(actor: Person): Promise<{ to: string; access: HeldAccess }[]> {
  const now = new Date()
  const rows = await db().grant.findMany({
    where: { teamId: actor.team.id, validFrom: { lte: now }, OR: [{ until: null }, { until: { gt: now } }] },
    include: { scopes: true },
  })
  const grants = rows.map(toGrant)
  const named = await nameScopes(
    actor,
    grants.map(({ scopes }) => scopes),
  )
  return grants.map(({ userId, role, subjects, effects, root, until }, index) => ({
    to: userId ?? `role ${role}`,
    access: { subjects, effects, root, scopes: named[index] ?? [], until: until === null ? null : new Date(until).toISOString() },
  }))
}

/** Everybody to whom a connection can be lent besides single members. */
export const commonBorrowers: readonly Exclude<Borrower, { kind: 'member' }>[] = [
  ...roles.map((role) => ({ kind: 'role', role }) as const),
  { kind: 'team' },
]
