/** Whether an operation may be sent now, or waits for a second person. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { onlyAsks } from '@/lib/contract/policy'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Decision } from '@/lib/portal/access/decide'
import type { Place } from '@/lib/portal/access/grants/grant'
import type { Actor } from '@/lib/portal/identity/actor'
import type { GivenFields, PreparedRequest } from '../prepare-request'
import { listApprovers } from './approvers'
import { digestOfOperation } from './digest'
import { changed, holdRequest } from './hold'
import { needsSecondPerson } from './rule'
import type { HeldOperation } from './sealed'

/** What is about to be sent, after it was decided and checked. requestId: the id of the held request as well. */
type Asked = {
  actor: Actor
  operation: Operation
  decision: Decision
  request: PreparedRequest
  requestId: string
  fields: GivenFields
  options: HeldOptions
}

/** planned: by a schedule, which was refused if it needed a second person. approvedDigest: of the held request that a second person approved. batchId: a batch is held as a whole, before its first target. */
type HeldOptions = {
  confirmName?: string
  about?: string
  undoes?: string
  repeatOf?: string
  batchId?: string
  approvedDigest?: string
  planned?: true
}

/** Null if it may be sent now. Otherwise it waits for a second person, or is not what that person approved. */
export async function refuseWithoutSecond(asked: Asked): Promise<Problem | null> {
  const { actor, operation, decision, request, fields, requestId: id, options } = asked
  const { batchId, approvedDigest, confirmName, about, undoes, repeatOf, planned } = options
  if (approvedDigest === undefined) {
    if (planned || batchId !== undefined || onlyAsks(operation, fields)) return null
    if (!(await needsSecondPerson(actor.team.id, operation.id))) return null
  }
  // A second person approves for a person.
  if (actor.kind !== 'user') return problem('forbidden')
  const digest = await digestOfOperation({ id, teamId: actor.team.id, askedById: actor.user.id }, operation, decision, request)
  if (approvedDigest !== undefined) return digest === approvedDigest ? null : changed
  const { server, site, connection, name } = decision
  return holdRequest(actor, {
    id,
    action: operation.id,
    serverId: site ? null : (server?.id ?? null),
    siteId: site?.id ?? null,
    connectionId: connection.id,
    targetName: name,
    digest,
    content: { kind: 'operation', fields: onlyOwn(operation, fields), confirmName, about, undoes, repeatOf },
    approvers: await listApprovers(actor.team.id, operation, [placeOf(decision)], actor.user.id),
  })
}

const placeOf = ({ site, server }: Decision): Place =>
  site ? { kind: 'site', siteId: site.id, serverId: site.serverId } : { kind: 'server', serverId: server?.id ?? '' }

type HeldFields = HeldOperation['fields']

/** Only fields that the operation has, so that nothing else is kept. `app` is in the path of some. */
function onlyOwn(operation: Operation, fields: GivenFields): HeldFields {
  const names = [...Object.keys(operation.fields), ...(operation.path.includes('{app}') ? ['app'] : [])]
  const given = names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]] as const)
  return Object.fromEntries(given.flatMap(([name, value]) => (isHoldable(value) ? [[name, value]] : [])))
}

const isHoldable = (value: unknown): value is HeldFields[string] =>
  typeof value === 'string' || typeof value === 'boolean' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
