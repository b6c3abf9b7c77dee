/** What a member may ask for at a server or site: what their grants lack there and their role would allow. */
import 'server-only'
import { operations } from '@/lib/contract'
import type { Effect, Operation } from '@/lib/contract/operation'
import { ownerOf } from '@/lib/portal/access/connections'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { mayRun, roleNames } from '@/lib/portal/access/roles'
import type { Actor, Person, Role } from '@/lib/portal/identity/actor'
import { formatEffects } from '@/lib/text/access'
import { findApprovers } from './approvers'
import { type AskedPlace, toPlace } from './place'
import { findReached, type Lender } from './reached'

/**
 * id: as forms send it. effects: with read, where that is lacking too. root: with what amounts to root on the server. lenders: the names of those of
 * whom one has to lend a connection for it as well; empty if nobody has to. granted: the access is there, and only that is missing.
 */
export type Askable = {
  id: string
  subject: string
  effects: readonly Effect[]
  root: boolean
  lenders: readonly string[]
  granted: boolean
}

/**
 * ceiling: why some things cannot be asked for, as the role does not allow them, or nobody could lend a connection for them; empty if there are
 * none. lenders: those whom the choices name.
 */
export type AskableAt = { choices: Askable[]; ceiling: string; lenders: readonly Lender[] }

const effects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

type Asked = Pick<Operation, 'subject' | 'grantedWith' | 'effect' | 'root'>

/** By what a page calls it: an archive of a site is a download of backups. */
export const askedSubjectOf = ({ subject, grantedWith }: Asked): string => grantedWith ?? subject

export const askableIdOf = (operation: Asked): string => `${askedSubjectOf(operation)} ${operation.effect}${operation.root ? ' root' : ''}`

export const operationsOf = (kind: AskedPlace['kind']): readonly Operation[] =>
  operations.filter(({ path }) => path.includes(kind === 'server' ? '{server_id}' : '{site_id}'))

export async function findAskable(actor: Actor, asked: Pick<AskedPlace, 'kind' | 'id'>): Promise<AskableAt> {
  const [right, place] = await Promise.all([rightOf(actor), toPlace(asked)])
  const { includes, lenders, owners } = await findReached({ teamId: actor.team.id, userId: ownerOf(actor), role: actor.role }, place)
  const lacking = operationsOf(asked.kind)
    .map((operation) => ({ operation, granted: isAllowed(right, needOf(operation), place), lent: includes(operation) }))
    .filter(({ granted, lent }) => !granted || !lent)
  const allowed = lacking.filter(({ operation }) => mayRun(actor.role, operation.effect))
  const askable = allowed.filter(({ lent }) => lent || lenders.length > 0)
  const unread = new Set(askable.filter(({ operation }) => operation.effect === 'read').map(({ operation }) => operation.subject))
  const [choices, names] = [new Map<string, Askable>(), [...new Set(lenders.map(({ name }) => name))]]
  for (const { operation, granted, lent } of askable) {
    const { effect, root = false } = operation
    const [subject, id] = [askedSubjectOf(operation), askableIdOf(operation)]
    const known = choices.get(id)
    choices.set(id, {
      id,
      subject,
      root,
      effects: effects.filter((each) => each === effect || (each === 'read' && unread.has(subject))),
      lenders: lent ? (known?.lenders ?? []) : names,
      granted: granted && (known?.granted ?? true),
    })
  }
  const above = effects.filter((effect) => !mayRun(actor.role, effect) && lacking.some(({ operation }) => operation.effect === effect))
  const why = [formatCeiling(actor.role, above), askable.length < allowed.length ? formatNotLent(owners) : '']
  return { choices: [...choices.values()], ceiling: why.filter((each) => each !== '').join(' '), lenders }
}

/** Whose connection has to be lent for more, by somebody who does not see the place and so cannot be asked. */
const formatNotLent = (owners: readonly string[]): string =>
  `The connection through which you reach this is not lent for everything here. Ask ${joinNames(owners)} to lend it for more.`

/** The same for a form: if nobody could approve it, nothing can be asked for, which is said before the form is opened. */
export async function findAskableHere(actor: Person, asked: AskedPlace): Promise<AskableAt> {
  const askable = await findAskable(actor, asked)
  if (askable.choices.length === 0) return askable
  const approvers = await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, asked)
  // What is only not lent takes nobody who could give access.
  const choices = approvers.length > 0 ? askable.choices : askable.choices.filter(({ granted }) => granted)
  if (choices.length > 0) return { ...askable, choices }
  const nobody = `Nobody could approve a request for ${asked.name}, because no other owner or admin sees it.`
  return { ...askable, choices: [], ceiling: `${nobody} If only your own connection lists it, lend them that connection first.` }
}

/** "A viewer cannot change, delete or overwrite anything. …"; empty if the role forbids none of these effects. */
export function formatCeiling(role: Role, asked: readonly Effect[]): string {
  const forbidden = asked.filter((effect) => !mayRun(role, effect))
  if (forbidden.length === 0) return ''
  return `A ${roleNames[role].toLowerCase()} cannot ${formatEffects(forbidden, 'or')} anything. Ask a team owner or admin for another role.`
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
