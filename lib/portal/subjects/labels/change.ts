/** Adds labels to servers or sites, or removes them: checks permission and ownership, writes the audit log, makes the change. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { may, mayRun } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { formatNames } from '@/lib/text/names'
import { givesAccess } from './access-labels'
import { cleanLabel, labelRefusal } from './label-name'
import { addLabel, removeLabel, type SubjectKind } from './labels'

export type LabelChange = {
  change: 'add' | 'remove'
  subjectKind: SubjectKind
  /** Opaque ids; those of other teams are treated as missing. */
  subjectIds: readonly string[]
  label: string
}

/**
 * label: as stored. changed: the number of subjects that the label was added to or removed from. givesAccess: there is access to whatever has
 * the label, so that this changed it.
 */
export type LabelsChanged = { label: string; changed: number; givesAccess?: true }

/** A longer request is not a list of servers but an attack on the audit log. */
const maxSubjects = 100_000

/**
 * For operators and above, as far as their grants let them change it. One entry in the audit log per change, however many servers it
 * concerns, with `requestId` if given. `not_found` if none of the ids belongs to the team; otherwise changes those that do.
 */
export async function changeLabels(
  actor: Person,
  { change, subjectKind, subjectIds, label }: LabelChange,
  requestId?: string,
): Promise<Outcome<LabelsChanged>> {
  const action = change === 'add' ? 'labels.add' : 'labels.remove'
  const [only] = subjectIds
  const object = { kind: subjectKind, id: subjectIds.length === 1 && isOpaqueId(only) ? only : null }
  const now = await recheckSame(actor)
  if (!now) return { ok: false, problem: problem('signed_out') }
  if (!mayRun(now.role, 'change')) {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: problem('forbidden') }
  }
  const name = cleanLabel(label)
  if (name === null) return { ok: false, problem: problem('invalid', { fields: { label: labelRefusal } }) }
  const found = await findVisibleNames(actor, subjectKind, subjectIds.slice(0, maxSubjects).filter(isOpaqueId))
  if (found.size === 0) {
    await recordDenied(actor, action, object, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const refusal = await refuseLabel(now, { change, subjectKind, name, ids: [...found.keys()] })
  if (refusal) {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: refusal }
  }
  await recordAudit({
    ...(requestId !== undefined && { requestId }),
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object,
    stage: 'event',
    outcome: 'done',
    detail: { label: name, name: formatNames([...found.values()]), ...(found.size > 1 && { count: found.size }) },
  })
  const given = { teamId: actor.team.id, subjectKind, subjectIds: [...found.keys()], name }
  const changed = await (change === 'add' ? addLabel(given) : removeLabel(given))
  const gives = changed > 0 && (await givesAccess(actor.team.id, name))
  return { ok: true, data: { label: name, changed, ...(gives && { givesAccess: true }) } }
}

/**
 * A label that a grant or a loan uses decides who may do what, so only those who may grant put it on something or take it off. Taking off what
 * nothing carries says nothing about the label.
 */
async function refuseLabel(actor: Person, { change, ...carried }: Pick<LabelChange, 'change'> & Carried): Promise<Problem | null> {
  const { subjectKind, name, ids } = carried
  const operation = subjectKind === 'server' ? contract.servers.update : contract.sites.configure
  const granted = await findGranted(actor, operation, subjectKind, ids)
  if (granted.size < ids.length) return problem('forbidden')
  if (change === 'remove' && !(await isCarried(actor.team.id, carried))) return null
  if (!(await givesAccess(actor.team.id, name))) return null
  const gives = `The label “${name}” gives access.`
  if (!may(actor.role, 'team', 'change')) return problem('forbidden', { sentence: `${gives} A team owner or admin can add and remove it.` })
  if (!(await needsSecondPerson(actor.team.id, 'access.change'))) return null
  return problem('forbidden', { sentence: `${gives} Changes of access need a second person here: change the access instead.` })
}

type Carried = Pick<LabelChange, 'subjectKind'> & { name: string; ids: readonly string[] }

/** Whether one of them has the label. */
async function isCarried(teamId: string, { subjectKind, name, ids }: Carried): Promise<boolean> {
  const [rows, wanted] = [await db().label.findMany({ where: { teamId, subjectKind, name }, select: { subjectId: true } }), new Set(ids)]
  return rows.some(({ subjectId }) => wanted.has(subjectId))
}
