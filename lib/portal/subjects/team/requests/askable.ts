/** What a member may ask for at a server or site: what their grants lack there and their role would allow. */
import 'server-only'
import { operations } from '@/lib/contract'
import type { Effect, Operation } from '@/lib/contract/operation'
import { ownerOf } from '@/lib/portal/access/connections'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { isForeign, mayUse } from '@/lib/portal/access/loans/compile'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { mayRun, roleNames } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor, Person, Role } from '@/lib/portal/identity/actor'
import { accessEffects } from '@/lib/text/access'
import { findKeys } from '../access/list'
import { findApprovers } from './approvers'
import { type AskedPlace, type Somewhere, toPlace } from './place'

/** id: as forms send it. effects: with read, where that is lacking too. root: with what amounts to root on the server. */
export type Askable = { id: string; subject: string; effects: readonly Effect[]; root: boolean }

/**
 * ceiling: why some things cannot be asked for, because the role does not allow them or the only connections are not lent for them; empty if
 * there are none. notLent: the ids of the latter.
 */
export type AskableAt = { choices: Askable[]; ceiling: string; notLent: readonly string[] }

const effects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

type Asked = Pick<Operation, 'subject' | 'grantedWith' | 'effect' | 'root'>

/** By what a page calls it: an archive of a site is a download of backups. */
const askedSubjectOf = ({ subject, grantedWith }: Asked): string => grantedWith ?? subject

export const askableIdOf = (operation: Asked): string => `${askedSubjectOf(operation)} ${operation.effect}${operation.root ? ' root' : ''}`

const operationsOf = (kind: AskedPlace['kind']): readonly Operation[] =>
  operations.filter(({ path }) => path.includes(kind === 'server' ? '{server_id}' : '{site_id}'))

export async function findAskable(actor: Actor, asked: Pick<AskedPlace, 'kind' | 'id'>): Promise<AskableAt> {
  const [right, place] = await Promise.all([rightOf(actor), toPlace(asked)])
  const lent = await findLentFor(actor, place)
  const lacking = operationsOf(asked.kind).filter((operation) => !isAllowed(right, needOf(operation), place))
  const lentLacking = lacking.filter(lent.includes)
  const unread = new Set(lentLacking.filter(({ effect }) => effect === 'read').map(({ subject }) => subject))
  const choices = new Map<string, Askable>()
  for (const operation of lentLacking.filter(({ effect }) => mayRun(actor.role, effect))) {
    const { effect, root = false } = operation
    const subject = askedSubjectOf(operation)
    const id = askableIdOf(operation)
    choices.set(id, { id, subject, effects: effects.filter((each) => each === effect || (each === 'read' && unread.has(subject))), root })
  }
  const withheld = operationsOf(asked.kind).filter((operation) => mayRun(actor.role, operation.effect) && !lent.includes(operation))
  const notLent = [...new Set(withheld.map(askableIdOf))].filter((id) => !choices.has(id))
  const above = effects.filter((effect) => !mayRun(actor.role, effect) && lacking.some((each) => each.effect === effect))
  const why = [formatCeiling(actor.role, above), notLent.length === 0 ? '' : formatNotLent(lent.owners)]
  return { choices: [...choices.values()], ceiling: why.filter((each) => each !== '').join(' '), notLent }
}

type LentFor = { includes: (operation: Operation) => boolean; owners: readonly string[] }

/** What the connections can be used for through which the actor reaches a place. owners: their names, if all of these are lent. */
async function findLentFor(actor: Actor, place: Somewhere): Promise<LentFor> {
  const [keys, lending, userId] = [await findKeys(actor.team.id, place), await lendingOf(actor), ownerOf(actor)]
  const usable = keys.filter((key) => mayUse(key, userId, lending, place))
  if (usable.length === 0 || usable.some((key) => !isForeign(key, userId))) return { includes: () => true, owners: [] }
  const owners = await db().user.findMany({
    where: { id: { in: usable.flatMap(({ ownerId }) => ownerId ?? []) } },
    select: { name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  const includes = (operation: Operation) => usable.some((key) => mayUse(key, userId, lending, place, needOf(operation)))
  return { includes, owners: owners.map(({ name }) => name) }
}

/** Whose connection has to be lent for more, before access to more could be used. */
function formatNotLent(owners: readonly string[]): string {
  const said = joinNames(owners)
  return `You reach this through a connection of ${said}, which is not lent to you for everything here. Ask ${said} to lend it for more.`
}

/** The same for a form: if nobody could approve it, nothing can be asked for, which is said before the form is opened. */
export async function findAskableHere(actor: Person, asked: AskedPlace): Promise<AskableAt> {
  const askable = await findAskable(actor, asked)
  if (askable.choices.length === 0) return askable
  const approvers = await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, asked)
  if (approvers.length > 0) return askable
  const nobody = `Nobody could approve a request for ${asked.name}, because no other owner or admin sees it.`
  return { ...askable, choices: [], ceiling: `${nobody} If only your own connection lists it, lend them that connection first.` }
}

/** "A viewer cannot change or delete and overwrite anything. …"; empty if the role forbids none of these effects. */
export function formatCeiling(role: Role, asked: readonly Effect[]): string {
  const verbs = asked.filter((effect) => !mayRun(role, effect)).map((effect) => accessEffects[effect] ?? effect)
  if (verbs.length === 0) return ''
  return `A ${roleNames[role].toLowerCase()} cannot ${joinNames(verbs)} anything. Ask a team owner or admin for another role.`
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
