/** Gives access to servers and sites, changes it and ends it. docs/decisions/070-grants.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { readLabelled } from '@/lib/portal/access/grants/read'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { isRole, may, roleNames } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import type { Second } from '@/lib/portal/spine/held/own'
import { formatAccess } from '@/lib/text/access'
import { formatMinute } from '@/lib/text/minute'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findTarget } from '../change-member'
import { runForTeam } from '../recorded'
import { findGrant, type StoredGrant } from './find'
import { type AskedAccess, begunBy, readAccessForm } from './form'
import { changeOf, findHolder, type Holder, refuseAbove, whose } from './holder'
import { tellHolders } from './tell'
import { changeGrants } from './transaction'
import { keepingUndo, stateOfColumns } from './undo-access'

/** undo: see Undoable. */
export type AccessChanged = { grantId: string; undo: string | null }

/** Fields: to ("member ID" or "role NAME"), those of the access, and password if the sign-in is not recent. */
export async function giveAccess(input: OwnInput): Promise<Outcome<AccessChanged>> {
  const { actor, requestId, field, stepUp } = input
  const refused = await refuseRole(actor, 'access.give')
  if (refused) return refused
  const [kind, id = ''] = field('to').split(' ')
  const holder =
    kind === 'role' ? (isRole(id) ? ({ userId: null, role: id, email: '' } as const) : null) : await findTarget(actor.team.id, id)
  if (!holder) return { ok: false, problem: problem('invalid', { fields: { to: 'Choose a member or a role.' } }) }
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  const grantId = createOpaqueId()
  const change = {
    ...changeOf(actor, holder),
    action: 'access.give',
    requestId,
    prove: stepUp,
    detail: detailOf(holder, asked.data),
    second: {
      ...(await secondOf(input, ['to', ...accessFields], `Give ${nameOf(holder)} access${sayAccess(asked.data)}`, asked.data)),
      ...concerning(holder),
    },
  } as const
  const given = await runForTeam(change, async (now) => {
    const above = await refuseAbove(now, asked.data)
    if (above) return { ok: false, problem: above }
    const added = newGrant(now, grantId, holder, asked.data)
    return keepingUndo(now, { requestId, grantId }, { before: null, after: stateOfColumns(added.data, added.scopes) }, (undo) =>
      changeGrants(now, holder, async (tx) => {
        await addGrant(tx, added)
        return { grantId, undo }
      }),
    )
  })
  if (given.ok) await tellHolders(actor, holder, { kind: 'access_given', requestId, ...toldOf(asked.data) })
  return given
}

/** The rows of a grant that begins when it was asked for, or at once. */
export function newGrant({ team, user }: Person, id: string, { userId, role }: Pick<Holder, 'userId' | 'role'>, asked: AskedAccess) {
  const whom = { userId, role: userId === null ? role : null }
  const data = { id, teamId: team.id, ...whom, validFrom: asked.from ?? new Date(), ...columnsOf(asked), givenById: user.id }
  return { data, scopes: asked.scopes.map(toScopeRow) }
}

/** For whoever was found to be allowed to give it. */
export async function addGrant(tx: Prisma.TransactionClient, { data, scopes }: ReturnType<typeof newGrant>): Promise<void> {
  await tx.grant.create({ data: { ...data, scopes: { create: scopes } } })
}

/** Fields: grantId, those of the access, and password if the sign-in is not recent. Also extends access that has ended. */
export async function changeAccess(input: OwnInput): Promise<Outcome<AccessChanged>> {
  const { actor, requestId, field, stepUp } = input
  const found = await findGiven(actor, 'access.change', field('grantId'))
  if (!found.ok) return found
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  const { holder, grant } = found.data
  const detail = { ...detailOf(holder, asked.data), was: grant.sentence }
  const what = `Change the access of ${nameOf(holder)}${sayAccess(asked.data)}`
  const second = {
    ...(await secondOf(input, ['grantId', ...accessFields], what, asked.data)),
    ...concerning(holder),
    now: nowOf(grant),
  }
  const change = { ...changeOf(actor, holder), action: 'access.change', requestId, prove: stepUp, detail, second } as const
  const changed = await runForTeam(change, async (now) => {
    const above = await refuseAbove(now, asked.data)
    if (above) return { ok: false, problem: above }
    const validFrom = asked.data.from ?? begunBy(grant.seen.validFrom)
    const data = { ...columnsOf(asked.data), validFrom, operations: '', givenById: now.user.id }
    const scopes = asked.data.scopes.map(toScopeRow)
    const [kept, grantId] = [{ before: grant.state, after: stateOfColumns(data, scopes) }, grant.id]
    return keepingUndo(now, { requestId, grantId }, kept, (undo) =>
      changeGrants(now, holder, async (tx) => {
        if (!(await write(tx, grant, data))) return null
        await tx.grantScope.deleteMany({ where: { grantId } })
        await tx.grantScope.createMany({ data: scopes.map((scope) => ({ grantId, ...scope })) })
        return { grantId, undo }
      }),
    )
  })
  if (changed.ok) await tellHolders(actor, holder, { kind: 'access_changed', requestId, ...toldOf(asked.data) })
  return changed
}

/** Fields: grantId, and password if the sign-in is not recent. Requests are refused from then on, and streams end. */
export async function endAccess(input: OwnInput): Promise<Outcome<AccessChanged>> {
  const { actor, requestId, field, stepUp } = input
  const found = await findGiven(actor, 'access.end', field('grantId'))
  if (!found.ok) return found
  const { holder, grant } = found.data
  const detail = { ...whose(holder), about: grant.sentence }
  const second = { ...(await secondOf(input, ['grantId'], `End the access of ${nameOf(holder)} to ${grant.sentence}`)), now: nowOf(grant) }
  const change = { ...changeOf(actor, holder), action: 'access.end', requestId, prove: stepUp, detail, second } as const
  const ended = await runForTeam(change, (now) => {
    const [at, grantId] = [new Date(), grant.id]
    const kept = { before: grant.state, after: { ...grant.state, until: at.toISOString() } }
    return keepingUndo(now, { requestId, grantId }, kept, (undo) =>
      changeGrants(now, holder, async (tx) => {
        if (grant.until !== null && grant.until <= at) return null
        return (await write(tx, grant, { until: at })) ? { grantId, undo } : null
      }),
    )
  })
  if (ended.ok) await tellHolders(actor, holder, { kind: 'access_ended', requestId, about: grant.sentence })
  return ended
}

export const accessFields = ['subjects', 'effects', 'root', 'where', 'names', 'label', 'placeId', 'from', 'until', 'why']

/** How it waits for a second person. asked: with the ids of what was named, which must be the same when the change is made. */
export const secondOf = async (input: OwnInput, names: readonly string[], what: string, asked?: AskedAccess): Promise<Second> => ({
  fields: pickFields(input, names),
  what,
  exact: asked ? [asked.scopes, await readLabelledPlaces(input.actor.team.id, asked)] : null,
  approvedDigest: input.approvedDigest,
})

/** Who gets the access is not the second person for it. To a role it is given to many, who are not asked. */
export const concerning = ({ userId }: Pick<Holder, 'userId'>) => ({ concerns: userId === null ? [] : [userId] })

/** What carries the labels now: what is approved does not grow before the change is made. */
async function readLabelledPlaces(teamId: string, { scopes }: AskedAccess): Promise<string[]> {
  const names = scopes.flatMap((scope) => (scope.kind === 'label' ? [scope.name] : []))
  const rows = names.length === 0 ? [] : await readLabelled(teamId, names)
  return rows.map(({ kind, id }) => `${kind} ${id}`).sort()
}

export const nameOf = ({ email, role }: Holder): string => email || `everyone with the role ${roleNames[role]}`

export const sayAccess = (asked: AskedAccess): string => {
  const { from, until } = asked
  return ` to ${aboutOf(asked)}${from ? `, from ${formatMinute(from)}` : ''}${until ? `, until ${formatMinute(until)}` : ''}`
}

const nowOf = ({ sentence }: StoredGrant) => ({ Access: sentence })

/** Whether the grant was still as it was read. */
async function write(tx: Prisma.TransactionClient, { id, seen }: StoredGrant, data: Prisma.GrantUpdateManyMutationInput): Promise<boolean> {
  return (await tx.grant.updateMany({ where: { id, ...seen }, data })).count > 0
}

const toldOf = (asked: AskedAccess) => ({ about: aboutOf(asked), startsAt: asked.from, endsAt: asked.until })

const aboutOf = (asked: AskedAccess): string => formatAccess({ ...asked, operations: [] }, asked.names)

export const detailOf = (holder: Holder, asked: AskedAccess) => ({
  ...whose(holder),
  about: aboutOf(asked),
  from: asked.from ? formatMinute(asked.from) : undefined,
  until: asked.until ? formatMinute(asked.until) : undefined,
  why: asked.why === '' ? undefined : asked.why,
})

const columnsOf = ({ until, why, ...asked }: AskedAccess) => ({
  ...toColumns({ subjects: asked.subjects, effects: asked.effects, root: asked.root, operations: [] }),
  until,
  why,
})

/** Before anything else, so that nobody who may not change access learns what there is. */
export async function refuseRole(actor: Person, action: OwnAction) {
  if (may(actor.role, 'team', 'change')) return null
  await recordDenied(actor, action, { kind: 'user', id: '' }, 'forbidden')
  const sentence = 'Only a team owner or admin can change access.'
  return { ok: false, problem: problem('forbidden', { sentence }) } as const
}

async function findGiven(actor: Person, action: OwnAction, id: string): Promise<Outcome<{ holder: Holder; grant: StoredGrant }>> {
  const refused = await refuseRole(actor, action)
  if (refused) return refused
  const grant = await findGrant(actor, id)
  const holder = grant && (await findHolder(actor.team.id, grant))
  if (grant && holder) return { ok: true, data: { holder, grant } }
  await recordDenied(actor, action, { kind: 'user', id: '' }, 'not_found')
  return { ok: false, problem: problem('not_found') }
}
