/** Access that is given together with a loan, or ended with it. docs/decisions/071-loans.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Grant } from '@/lib/portal/access/grants/grant'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { mayManage } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import type { Prisma } from '@/prisma/generated/portal/client'
import { addGrant, detailOf, newGrant, refuseRole } from '../team/access/change'
import type { AskedAccess } from '../team/access/form'
import { changeOf, findHolder, type Holder, refuseAbove, whose } from '../team/access/holder'
import { tellHolders } from '../team/access/tell'
import { changeGrants } from '../team/access/transaction'
import { keepingUndo, stateOfColumns } from '../team/access/undo-access'
import { runForTeam } from '../team/recorded'
import type { Borrowers } from './find'
import { givesSame } from './same'

/** The statements of the loan, in the transaction that changes the access too. Null if something is no longer as it was seen. */
type Write<T> = (tx: Prisma.TransactionClient) => Promise<T | null>

/** Runs the change of the loan between its own entries of the audit log. */
type Run<T> = (work: () => Promise<Outcome<T>>) => Promise<Outcome<T>>

/** Whose access changes with the loan; the refusal if the actor may not change it, or not without a second person. */
export async function findAccessHolder(
  actor: Person,
  action: 'access.give' | 'access.end',
  { userId, role }: Borrowers,
): Promise<Outcome<Holder>> {
  const refused = await refuseRole(actor, action)
  if (refused) return refused
  if (await needsSecondPerson(actor.team.id, action)) return { ok: false, problem: held }
  const holder = await findHolder(actor.team.id, { userId, role })
  return holder ? { ok: true, data: holder } : { ok: false, problem: toTeam }
}

const held = problem('forbidden', { sentence: 'Access needs a second person here, so it is changed separately, on the page Team.' })
const tooMuch = problem('forbidden', {
  sentence: 'You cannot give more access than you have, nor for longer. Lend without access, or ask an owner.',
})
const toTeam = problem('invalid', { fields: { to: 'Access is given to a member or a role, not to the whole team.' } })

/** Two acts in the audit log, and one transaction: nothing is lent if the access cannot be given. */
export async function giveWithLoan<T>(
  actor: Person,
  { holder, asked }: { holder: Holder; asked: AskedAccess },
  run: Run<T>,
  write: Write<T>,
): Promise<Outcome<T>> {
  const [requestId, grantId, detail] = [createOpaqueId(), createOpaqueId(), detailOf(holder, asked)]
  const given = await runForTeam({ ...changeOf(actor, holder), action: 'access.give', requestId, detail }, async (now) => {
    if (await refuseAbove(now, asked)) return { ok: false, problem: tooMuch }
    const added = newGrant(now, grantId, holder, asked)
    return keepingUndo(now, { requestId, grantId }, { before: null, after: stateOfColumns(added.data, added.scopes) }, () =>
      run(() =>
        changeGrants(now, holder, async (tx) => {
          const lent = await write(tx)
          if (lent !== null) await addGrant(tx, added)
          return lent
        }),
      ),
    )
  })
  const told = { kind: 'access_given', requestId, about: detail.about, startsAt: asked.from, endsAt: asked.until } as const
  if (given.ok) await tellHolders(actor, holder, told)
  return given
}

/**
 * Ends the loan, and all access that gives the same; about: what that is, in words. Two acts in the audit log, and one transaction. The loan
 * ends also if that access is over meanwhile: then only the end of the access has failed, which nobody learns of. Of several, the undo restores
 * the one that lasts longest, which gives what all of them gave.
 */
export async function endWithLoan<T>(
  actor: Person,
  { holder, loan, about }: { holder: Holder; loan: Grant; about: string },
  run: Run<T>,
  write: Write<T>,
): Promise<Outcome<T>> {
  const requestId = createOpaqueId()
  const detail = { ...whose(holder), about }
  let loanEnded: Outcome<T> | null = null
  const ended = await runForTeam({ ...changeOf(actor, holder), action: 'access.end', requestId, detail }, async (now) => {
    const at = new Date()
    const endBoth = async (): Promise<Outcome<T>> => {
      let count = 0
      loanEnded = await run(() =>
        changeGrants(now, holder, async (tx) => {
          const done = await write(tx)
          const ids = (await listSame(tx, loan, { teamId: now.team.id, at })).map(({ id }) => id)
          count = (await tx.grant.updateMany({ where: { id: { in: ids } }, data: { until: at } })).count
          return done
        }),
      )
      return loanEnded.ok && count === 0 ? { ok: false, problem: problem('changed_meanwhile') } : loanEnded
    }
    const [longest] = (await listSame(db(), loan, { teamId: now.team.id, at })).sort((one, other) => endOf(other) - endOf(one))
    if (!longest) return endBoth()
    const before = stateOfColumns(longest, longest.scopes)
    return keepingUndo(now, { requestId, grantId: longest.id }, { before, after: { ...before, until: at.toISOString() } }, endBoth)
  })
  if (ended.ok) await tellHolders(actor, holder, { kind: 'access_ended', requestId, about })
  return loanEnded ?? ended
}

const endOf = ({ until }: { until: Date | null }): number => until?.getTime() ?? Number.POSITIVE_INFINITY

/** Whether there is access that gives the same as the loan and is not over. */
export const isAccessGiven = async ({ team }: Person, loan: Grant): Promise<boolean> =>
  (await listSame(db(), loan, { teamId: team.id, at: new Date() })).length > 0

async function listSame(tx: Prisma.TransactionClient, loan: Grant, { teamId, at }: { teamId: string; at: Date }) {
  const stored = await tx.grant.findMany({ where: { teamId, ...lasting(at) }, include: { scopes: true } })
  return stored.filter((row) => givesSame(toGrant(row), loan))
}

const lasting = (at: Date): Prisma.GrantWhereInput => ({ OR: [{ until: null }, { until: { gt: at } }] })

/** The ids of the loans whose borrower has access to the same, which this actor may end here. */
export async function findEndable(actor: Person, loans: readonly Grant[]): Promise<Set<string>> {
  const concerned = loans.filter(({ userId, role }) => userId !== null || role !== null)
  if (concerned.length === 0 || !mayManage(actor.role, 'guest') || (await needsSecondPerson(actor.team.id, 'access.end'))) return new Set()
  const teamId = actor.team.id
  const [stored, members] = await Promise.all([
    db().grant.findMany({ where: { teamId, ...lasting(new Date()) }, include: { scopes: true } }),
    db().membership.findMany({ where: { teamId }, select: { userId: true, role: true } }),
  ])
  const [grants, roles] = [stored.map(toGrant), new Map(members.map(({ userId, role }) => [userId, role]))]
  const mayEnd = ({ userId, role }: Grant) => {
    const held = userId === null ? role : roles.get(userId)
    return held !== undefined && held !== null && mayManage(actor.role, held)
  }
  return new Set(concerned.filter((loan) => mayEnd(loan) && grants.some((grant) => givesSame(grant, loan))).map(({ id }) => id))
}
