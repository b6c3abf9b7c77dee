/** A change that somebody asks about before they save it, parsed from an untrusted query. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { ReachChange } from '@/lib/portal/access/reach/change'
import { isRole, may, mayManage, roleNames } from '@/lib/portal/access/roles'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { findGrant } from '@/lib/portal/subjects/team/access/find'
import { readAccessForm } from '@/lib/portal/subjects/team/access/form'
import { findTarget } from '@/lib/portal/subjects/team/change-member'
import { formatEndDate, parseEndDate } from '@/lib/portal/subjects/team/end-date'
import { formatAccess } from '@/lib/text/access'
import { type Query, textOf } from './filter'

/** sentence: "If Ana Silva is removed from the team". */
export type WhatIf = { change: ReachChange; sentence: string }

/** The members of the query that describe a change. `if` names its kind; the others are those of the form that would save it. */
const accessFields = ['to', 'subjects', 'effects', 'root', 'where', 'names', 'label', 'placeId', 'until']
const changeFields = ['if', 'member', 'role', 'endsOn', 'grant', ...accessFields]

/** What of a query describes the change, to keep it while the table is filtered. */
export const changeQuery = (query: Query): Record<string, string> =>
  Object.fromEntries(changeFields.map((name) => [name, textOf(query, name)]).filter(([, value]) => value !== ''))

const refuse = (fields: Record<string, string>): Outcome<WhatIf> => ({ ok: false, problem: problem('invalid', { fields }) })

const unknown = refuse({ if: 'Choose a change of somebody whom you may change.' })

/** Null if none is asked about. Only for those who could make the change; it saves nothing. */
export async function readWhatIf(actor: Person, query: Query): Promise<Outcome<WhatIf> | null> {
  const kind = textOf(query, 'if')
  if (kind === '') return null
  if (!may(actor.role, 'team', 'change')) return { ok: false, problem: problem('forbidden') }
  if (kind === 'endGrant') return readEnd(actor, textOf(query, 'grant'))
  if (kind === 'giveGrant') return readGiven(actor, query)
  const member = await findTarget(actor.team.id, textOf(query, 'member'))
  if (!member || !mayManage(actor.role, member.role)) return unknown
  const { userId, name } = member
  if (kind === 'removeMember') return found({ kind, userId }, `If ${name} is removed from the team`)
  if (kind === 'changeRole') {
    const role = textOf(query, 'role')
    if (!isRole(role) || !mayManage(actor.role, role)) return refuse({ role: 'Choose a role that you may give.' })
    return found({ kind, userId, role }, `If ${name} becomes ${roleNames[role]}`)
  }
  return kind === 'setEnd' ? readMembershipEnd({ userId, name }, textOf(query, 'endsOn')) : unknown
}

const found = (change: ReachChange, sentence: string): Outcome<WhatIf> => ({ ok: true, data: { change, sentence } })

function readMembershipEnd({ userId, name }: { userId: string; name: string }, endsOn: string): Outcome<WhatIf> {
  const end = parseEndDate(endsOn)
  if ('refusal' in end) return refuse({ endsOn: end.refusal })
  const day = formatEndDate(end.endsAt)
  const sentence = `If the membership of ${name} ${day ? `ends after ${day}` : 'has no end'}`
  return found({ kind: 'setEnd', userId, endsAt: end.endsAt?.getTime() ?? null }, sentence)
}

/** Whose access it is: a member's, or everyone's with a role. Null for somebody whom the reader may not change. */
async function findHolder(actor: Person, userId: string | null, role: Role | null): Promise<{ name: string } | null> {
  const member = userId === null ? null : await findTarget(actor.team.id, userId)
  const held = member?.role ?? role
  if (!held || !mayManage(actor.role, held)) return null
  return { name: member?.name ?? `everyone with the role ${roleNames[held]}` }
}

async function readEnd(actor: Person, id: string): Promise<Outcome<WhatIf>> {
  const grant = await findGrant(actor, id)
  const holder = grant && (await findHolder(actor, grant.userId, grant.role))
  return grant && holder ? found({ kind: 'endGrant', grantId: id }, `If the access of ${holder.name} to ${grant.sentence} ends`) : unknown
}

async function readGiven(actor: Person, query: Query): Promise<Outcome<WhatIf>> {
  const [kind, id = ''] = textOf(query, 'to').split(' ')
  const [userId, role] = kind === 'role' ? [null, isRole(id) ? id : null] : [id, null]
  const holder = await findHolder(actor, userId, role)
  if (!holder) return refuse({ to: 'Choose a member or a role.' })
  const asked = await readAccessForm(actor, (name) => textOf(query, name))
  if (!asked.ok) return asked
  const { subjects, effects, root, scopes, names, until } = asked.data
  const given = { subjects, effects, operations: [], root }
  const times = { from: Date.now(), until: until?.getTime() ?? null }
  return found(
    { kind: 'giveGrant', grant: { id: 'new', userId, role, scopes, ...given, ...times } },
    `If ${holder.name} can ${formatAccess(given, names)}`,
  )
}
