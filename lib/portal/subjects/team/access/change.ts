/** Gives access to servers and sites, changes it and ends it. docs/decisions/070-grants.md */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { covers } from '@/lib/portal/access/grants/covers'
import type { Grant } from '@/lib/portal/access/grants/grant'
import { rightOf } from '@/lib/portal/access/grants/read'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { isRole, may } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person, Role } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { formatAccess } from '@/lib/text/access'
import { formatMinute } from '@/lib/text/minute'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findTarget } from '../change-member'
import { runForTeam } from '../recorded'
import { findGrant, type StoredGrant } from './find'
import { type AskedAccess, readAccessForm } from './form'
import { changeGrants } from './transaction'

/** Whose access it is: a member's, or everyone's with a role. */
type Holder = { userId: string; role: Role; email: string } | { userId: null; role: Role; email: '' }

export type AccessChanged = { grantId: string }

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
  const { userId, role } = holder
  const row = { id: grantId, teamId: actor.team.id, userId, role: userId === null ? role : null, validFrom: new Date() }
  const change = {
    ...common(actor, holder),
    action: 'access.give',
    requestId,
    prove: stepUp,
    detail: detailOf(holder, asked.data),
  } as const
  return runForTeam(change, async (now) => {
    const above = await refuseAbove(now, asked.data)
    if (above) return { ok: false, problem: above }
    return changeGrants(now, holder, async (tx) => {
      const data = { ...row, ...columnsOf(asked.data), givenById: now.user.id, scopes: { create: asked.data.scopes.map(toScopeRow) } }
      await tx.grant.create({ data })
      return { grantId }
    })
  })
}

/** Fields: grantId, those of the access, and password if the sign-in is not recent. Also extends access that has ended. */
export async function changeAccess({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<AccessChanged>> {
  const found = await findGiven(actor, 'access.change', field('grantId'))
  if (!found.ok) return found
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  const { holder, grant } = found.data
  const detail = { ...detailOf(holder, asked.data), was: grant.sentence }
  const change = { ...common(actor, holder), action: 'access.change', requestId, prove: stepUp, detail } as const
  return runForTeam(change, async (now) => {
    const above = await refuseAbove(now, asked.data)
    if (above) return { ok: false, problem: above }
    return changeGrants(now, holder, async (tx) => {
      const data = { ...columnsOf(asked.data), operations: '', givenById: now.user.id }
      if (!(await write(tx, grant, data))) return null
      await tx.grantScope.deleteMany({ where: { grantId: grant.id } })
      await tx.grantScope.createMany({ data: asked.data.scopes.map((scope) => ({ grantId: grant.id, ...toScopeRow(scope) })) })
      return { grantId: grant.id }
    })
  })
}

/** Fields: grantId, and password if the sign-in is not recent. Requests are refused from then on, and streams end. */
export async function endAccess({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<AccessChanged>> {
  const found = await findGiven(actor, 'access.end', field('grantId'))
  if (!found.ok) return found
  const { holder, grant } = found.data
  const detail = { ...whose(holder), about: grant.sentence }
  const change = { ...common(actor, holder), action: 'access.end', requestId, prove: stepUp, detail } as const
  return runForTeam(change, (now) =>
    changeGrants(now, holder, async (tx) => {
      const at = new Date()
      if (grant.until !== null && grant.until <= at) return null
      return (await write(tx, grant, { until: at })) ? { grantId: grant.id } : null
    }),
  )
}

/** Whether the grant was still as it was read. */
async function write(tx: Prisma.TransactionClient, { id, seen }: StoredGrant, data: Prisma.GrantUpdateManyMutationInput): Promise<boolean> {
  return (await tx.grant.updateMany({ where: { id, ...seen }, data })).count > 0
}

const common = (actor: Person, { userId, role }: Holder) => {
  const object = userId === null ? ({ kind: 'team', id: actor.team.id } as const) : ({ kind: 'user', id: userId } as const)
  return { actor, touches: [role], checksAccess: true, object } as const
}

const whose = ({ email, role }: Holder) => (email === '' ? { role } : { email })

const detailOf = (holder: Holder, asked: AskedAccess) => ({
  ...whose(holder),
  about: formatAccess({ ...asked, operations: [] }, asked.names),
  until: asked.until ? formatMinute(asked.until) : undefined,
  why: asked.why === '' ? undefined : asked.why,
})

const columnsOf = ({ until, why, ...asked }: AskedAccess) => ({
  ...toColumns({ subjects: asked.subjects, effects: asked.effects, root: asked.root, operations: [] }),
  until,
  why,
})

/** Before anything else, so that nobody who may not change access learns what there is. */
async function refuseRole(actor: Person, action: OwnAction) {
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

async function findHolder(teamId: string, { userId, role }: StoredGrant): Promise<Holder | null> {
  if (userId !== null) return findTarget(teamId, userId)
  return role && { userId, role, email: '' }
}

const tooMuch = problem('forbidden', { sentence: 'You cannot give more access than you have. An owner can.' })

/** Owners can give themselves everything, so they can give it to others. */
async function refuseAbove(now: Person, asked: AskedAccess): Promise<Problem | null> {
  if (now.role === 'owner') return null
  const { subjects, effects, root, scopes } = asked
  const serverOf = await findServersOfSites(scopes.flatMap((scope) => (scope.kind === 'site' ? [scope.id] : [])))
  const grant: Omit<Grant, 'id'> = { userId: null, role: null, scopes, subjects, effects, operations: [], root, from: 0, until: null }
  return covers(await rightOf(now), grant, serverOf) ? null : tooMuch
}
