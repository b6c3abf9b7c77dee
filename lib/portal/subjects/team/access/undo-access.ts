/** Undoes giving, changing and ending access: the grant becomes as it was, if nobody has changed it since. */
import 'server-only'
import * as z from 'zod'
import { type Outcome, problem } from '@/lib/contract/problem'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { mayManage } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { formatAccess } from '@/lib/text/access'
import type { Grant, GrantScope } from '@/prisma/generated/portal/client'
import { keepUndo } from '../../undoable/kept'
import { ownUndoKind } from '../../undoable/own-kind'
import { runForTeam } from '../recorded'
import { changeOf, findHolder, refuseAbove, whose } from './holder'
import { nameScopes } from './scopes'
import { tellHolders } from './tell'
import { changeGrants } from './transaction'

const state = z.object({
  subjects: z.string(),
  effects: z.string(),
  operations: z.string(),
  root: z.boolean(),
  validFrom: z.string(),
  until: z.string().nullable(),
  why: z.string(),
  givenById: z.string().nullable(),
  scopes: z.array(z.object({ kind: z.enum(['everything', 'server', 'site', 'label']), about: z.string() })),
})

/** What a grant gives and who gave it. Times are ISO. */
export type GrantState = z.infer<typeof state>

type Columns = Pick<Grant, 'subjects' | 'effects' | 'operations' | 'root' | 'validFrom' | 'until' | 'why' | 'givenById'>
type ScopeRow = Pick<GrantScope, 'kind' | 'about'>

export function stateOfColumns(row: Columns, scopes: readonly ScopeRow[]): GrantState {
  const { subjects, effects, operations, root, validFrom, until, why, givenById } = row
  const times = { validFrom: validFrom.toISOString(), until: until?.toISOString() ?? null }
  return { subjects, effects, operations, root, ...times, why, givenById, scopes: sortScopes(scopes) }
}

const sortScopes = (scopes: readonly ScopeRow[]) =>
  scopes.map(({ kind, about }) => ({ kind, about })).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

const keyOf = ({ kind, about }: ScopeRow): string => `${kind} ${about}`

/** before: null if the change gave it. after: as the change left it. */
const payload = z.object({ before: state.nullable(), after: state })
type Payload = z.infer<typeof payload>

type Made = { requestId: string; grantId: string }

/** Runs a change with what would undo it stored before, which stays only if the change was made. run: gets the id of the undo. */
export async function keepingUndo<T>(
  actor: Person,
  { requestId, grantId }: Made,
  change: Payload,
  run: (undo: string | null) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'grant', id: grantId } }, { kind: undoAccess, payload: change })
  const made = await run(undo)
  if (!made.ok && undo !== null) await db().undo.deleteMany({ where: { id: undo, usedAt: null } })
  return made
}

/** Why nothing was undone. */
const tooLate = (sentence: string) => ({ ok: false, problem: problem('changed_meanwhile', { sentence }) }) as const

const findRow = (teamId: string, id: string) => db().grant.findFirst({ where: { id, teamId }, include: { scopes: true } })

/** For those who may change the access of whoever has it. */
async function findChangeable(actor: Person, id: string) {
  const row = await findRow(actor.team.id, id)
  const holder = row && (await findHolder(actor.team.id, row))
  return row && holder && mayManage(actor.role, holder.role) ? { row, holder } : null
}

export const undoAccess = ownUndoKind({
  name: 'access.restore',
  schema: payload,
  summary: 'Makes the access as it was before.',
  plain: true,
  page: () => ({ href: '/team', label: 'Team' }),
  async isOfferedTo(actor, grantId) {
    return (await findChangeable(actor, grantId)) !== null
  },
  async revert(actor, { subjectId, requestId, undoes, prove }, { before, after }) {
    const found = await findChangeable(actor, subjectId)
    if (!found) return tooLate('Whoever had the access is no longer a member.')
    const { row, holder } = found
    const seen = stateOfColumns(row, row.scopes)
    if (JSON.stringify(seen) !== JSON.stringify(after)) return tooLate('The access was changed again meanwhile, so it stays as it is.')
    const about = await sayState(actor, row, before ?? after)
    const detail = { ...whose(holder), about, undoes }
    const action = before === null ? 'access.end' : 'access.change'
    const change = { ...changeOf(actor, holder), action, requestId, prove, detail } as const
    const restored = await runForTeam(change, async (now) => {
      const above =
        before &&
        (await refuseAbove(now, { ...toGrant({ ...row, ...toColumns(before), scopes: before.scopes }), until: toColumns(before).until }))
      if (above) return { ok: false, problem: above }
      return changeGrants(now, holder, async (tx) => {
        const { scopes: _, ...columns } = toColumns(before ?? { ...after, until: new Date().toISOString() })
        const { scopes: __, ...unchanged } = toColumns(after)
        if ((await tx.grant.updateMany({ where: { id: row.id, ...unchanged }, data: columns })).count === 0) return null
        const scopes = await tx.grantScope.findMany({ where: { grantId: row.id } })
        if (JSON.stringify(sortScopes(scopes)) !== JSON.stringify(after.scopes)) return null
        await tx.grantScope.deleteMany({ where: { grantId: row.id } })
        await tx.grantScope.createMany({ data: (before ?? after).scopes.map((scope) => ({ grantId: row.id, ...scope })) })
        return {}
      })
    })
    if (!restored.ok) return restored
    await tellHolders(actor, holder, { kind: before === null ? 'access_ended' : 'access_changed', requestId, about })
    return { ok: true, data: { message: before === null ? 'The access was ended again.' : 'The access is as it was before.' } }
  },
})

const toColumns = ({ validFrom, until, ...rest }: GrantState) => ({
  ...rest,
  validFrom: new Date(validFrom),
  until: until === null ? null : new Date(until),
})

/** What it gives in that state, for the audit log. */
async function sayState(actor: Person, row: Grant, wanted: GrantState): Promise<string> {
  const grant = toGrant({ ...row, ...toColumns(wanted), scopes: wanted.scopes })
  const [names = []] = await nameScopes(actor, [grant.scopes])
  return formatAccess(grant, names)
}
