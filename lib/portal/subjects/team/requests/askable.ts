/** What a member may ask for at a server or site: what their grants lack there and their role would allow. */
import 'server-only'
import { operations } from '@/lib/contract'
import type { Effect, Operation } from '@/lib/contract/operation'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { mayRun, roleNames } from '@/lib/portal/access/roles'
import type { Actor, Person, Role } from '@/lib/portal/identity/actor'
import { accessEffects } from '@/lib/text/access'
import { findApprovers } from './approvers'
import { type AskedPlace, toPlace } from './place'

/** id: as forms send it. effects: with read, where that is lacking too. root: with what amounts to root on the server. */
export type Askable = { id: string; subject: string; effects: readonly Effect[]; root: boolean }

/** ceiling: why some things cannot be asked for, because the role does not allow them; empty if there are none. */
export type AskableAt = { choices: Askable[]; ceiling: string }

const effects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

export const askableIdOf = ({ subject, effect, root }: Pick<Operation, 'subject' | 'effect' | 'root'>): string =>
  `${subject} ${effect}${root ? ' root' : ''}`

const operationsOf = (kind: AskedPlace['kind']): readonly Operation[] =>
  operations.filter(({ path }) => path.includes(kind === 'server' ? '{server_id}' : '{site_id}'))

export async function findAskable(actor: Actor, asked: Pick<AskedPlace, 'kind' | 'id'>): Promise<AskableAt> {
  const [right, place] = await Promise.all([rightOf(actor), toPlace(asked)])
  const lacking = operationsOf(asked.kind).filter((operation) => !isAllowed(right, needOf(operation), place))
  const unread = new Set(lacking.filter(({ effect }) => effect === 'read').map(({ subject }) => subject))
  const choices = new Map<string, Askable>()
  for (const operation of lacking.filter(({ effect }) => mayRun(actor.role, effect))) {
    const { subject, effect, root = false } = operation
    const id = askableIdOf(operation)
    choices.set(id, { id, subject, effects: effects.filter((each) => each === effect || (each === 'read' && unread.has(subject))), root })
  }
  const above = effects.filter((effect) => !mayRun(actor.role, effect) && lacking.some((each) => each.effect === effect))
  return { choices: [...choices.values()], ceiling: formatCeiling(actor.role, above) }
}

/** The same for a form: if nobody could approve it, nothing can be asked for, which is said before the form is opened. */
export async function findAskableHere(actor: Person, asked: AskedPlace): Promise<AskableAt> {
  const askable = await findAskable(actor, asked)
  if (askable.choices.length === 0) return askable
  const approvers = await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, asked)
  if (approvers.length > 0) return askable
  const nobody = `Nobody could approve a request for ${asked.name}, because no other owner or admin sees it.`
  return { choices: [], ceiling: `${nobody} If only your own connection lists it, lend them that connection first.` }
}

/** "A viewer cannot change or delete and overwrite anything. …"; empty if the role forbids none of these effects. */
export function formatCeiling(role: Role, asked: readonly Effect[]): string {
  const verbs = asked.filter((effect) => !mayRun(role, effect)).map((effect) => accessEffects[effect] ?? effect)
  if (verbs.length === 0) return ''
  const said = verbs.length === 1 ? verbs[0] : `${verbs.slice(0, -1).join(', ')} or ${verbs.at(-1)}`
  return `A ${roleNames[role].toLowerCase()} cannot ${said} anything. Ask a team owner or admin for another role.`
}
