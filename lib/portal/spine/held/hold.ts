/** Holds an operation that needs a second person, instead of sending it. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { onlyAsks } from '@/lib/contract/policy'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Decision } from '@/lib/portal/access/decide'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isTaken } from '@/lib/portal/base/transaction'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import { notify } from '@/lib/portal/notifications/notify'
import type { GivenFields, PreparedRequest } from '../prepare-request'
import { listApprovers } from './approvers'
import { digestOfOperation } from './digest'
import { needsSecondPerson } from './rule'
import { type HeldContent, sealHeld } from './sealed'

/** What is about to be sent, after it was decided and checked. requestId: the id of the held request as well. */
export type Asked = {
  actor: Actor
  operation: Operation
  decision: Decision
  request: PreparedRequest
  requestId: string
  fields: GivenFields
  options: HeldOptions
}

/** approvedDigest: of the held request that a second person approved. batchId: a batch is held as a whole, before its first target. */
export type HeldOptions = { confirmName?: string; about?: string; undoes?: string; batchId?: string; approvedDigest?: string }

const changed = problem('changed_meanwhile', {
  sentence: 'What would be sent is not what was approved: something changed in the meantime. Nothing was sent. Ask again.',
})

/** Null if it may be sent now. Otherwise it waits for a second person, or is not what that person approved. */
export async function refuseWithoutSecond(asked: Asked): Promise<Problem | null> {
  const { actor, operation, fields, requestId, options } = asked
  if (options.approvedDigest !== undefined) return (await digest(asked)) === options.approvedDigest ? null : changed
  if (options.batchId !== undefined || onlyAsks(operation, fields)) return null
  if (!(await needsSecondPerson(actor.team.id, operation.id))) return null
  // A second person approves for a person.
  if (actor.kind !== 'user') return problem('forbidden')
  await store(actor, asked)
  return waits(requestId, describe(operation, asked.decision.name))
}

const digest = ({ actor, operation, decision, request, requestId }: Asked): Promise<string> =>
  digestOfOperation(
    { id: requestId, teamId: actor.team.id, askedById: actor.kind === 'user' ? actor.user.id : '' },
    operation,
    decision,
    request,
  )

/** "Delete a site: shop.example" */
export const describe = ({ description }: Operation, name: string): string => `${description.replace(/\.$/, '')}: ${name}`

/** The outcome of everything that is held. */
export const waits = (heldId: string, what: string): Problem =>
  problem('needs_approval', { sentence: `Waits for a second person: ${what}. Nothing was done yet.`, heldId })

async function store(actor: Person, asked: Asked): Promise<void> {
  const { operation, decision, fields, requestId: id, options } = asked
  const { confirmName, about, undoes } = options
  const row = {
    id,
    teamId: actor.team.id,
    kind: 'operation' as const,
    action: operation.id,
    serverId: decision.site ? null : (decision.server?.id ?? null),
    siteId: decision.site?.id ?? null,
    connectionId: decision.connection.id,
    targetName: decision.name,
    askedById: actor.user.id,
    sessionId: actor.sessionId,
    digest: await digest(asked),
    askedAt: new Date(),
    sendAt: null,
    decidedById: null,
  }
  const content = { kind: 'operation', fields: onlyOwn(operation, fields), confirmName, about, undoes } as const
  try {
    await db().heldRequest.create({ data: { ...row, ...(await sealHeld(row, content)) } })
  } catch (error) {
    // The same form was sent twice: the first one is held.
    if (isTaken(error)) return
    throw error
  }
  const object = { kind: 'heldRequest', id } as const
  const detail = { name: row.targetName, about: operation.id, digest: row.digest }
  await recordAudit({
    teamId: row.teamId,
    actor: auditActorOf(actor),
    action: 'approval.ask',
    object,
    stage: 'event',
    outcome: 'done',
    detail,
  })
  const place = row.siteId
    ? ({ kind: 'site', siteId: row.siteId, serverId: decision.server?.id ?? null } as const)
    : ({ kind: 'server', serverId: row.serverId ?? '' } as const)
  const userIds = (await listApprovers(row.teamId, operation, place)).filter((userId) => userId !== actor.user.id)
  const named = { what: describe(operation, row.targetName), who: actor.user.name }
  await notify({ teamId: row.teamId, userIds, kind: 'approval_wanted', onceKey: `held ${id}`, subject: object, detail: named })
}

type HeldFields = Extract<HeldContent, { kind: 'operation' }>['fields']

/** Only fields that the operation has, so that nothing else is kept. `app` is in the path of some. */
function onlyOwn(operation: Operation, fields: GivenFields): HeldFields {
  const names = [...Object.keys(operation.fields), ...(operation.path.includes('{app}') ? ['app'] : [])]
  const given = names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]] as const)
  return Object.fromEntries(given.flatMap(([name, value]) => (isHoldable(value) ? [[name, value]] : [])))
}

const isHoldable = (value: unknown): value is HeldFields[string] =>
  typeof value === 'string' || typeof value === 'boolean' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
