/** Lends a member's own connection, changes that and ends it. docs/decisions/071-loans.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { toGrant, toScopeRow } from '@/lib/portal/access/grants/stored'
import { isRole } from '@/lib/portal/access/roles'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { Prisma } from '@/prisma/generated/portal/client'
import { runForConnection } from '../connections/recorded'
import { begunBy, readAccessForm } from '../team/access/form'
import { findTarget } from '../team/change-member'
import { answerLent } from '../team/requests/answer-lent'
import { addLoan, columnsOf, detailOf, whose } from './add'
import { type Borrowers, findLoan, findOwnConnection, type StoredLoan } from './find'
import { hasSameScopes } from './same'
import { tellBorrowers } from './tell'
import { endWithLoan, findAccessHolder, giveWithLoan, isAccessGiven } from './with-access'

export type LoanChanged = { loanId: string }

/**
 * Fields: connectionId, to ("member ID", "role NAME" or "team"), those of access, access ("1" to give access to the same as well), and
 * password if the sign-in is not recent.
 */
export async function lendConnection({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<LoanChanged>> {
  const action = 'connection.lend'
  const found = await findOwnConnection(actor, action, field('connectionId'))
  if (!found.ok) return found
  const to = await readBorrowers(actor.team.id, actor.user.id, field('to'))
  if (!to) return { ok: false, problem: problem('invalid', { fields: { to: 'Choose another member, a role or the whole team.' } }) }
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  const holder = field('access') === '1' ? await findAccessHolder(actor, 'access.give', to) : null
  if (holder && !holder.ok) return holder
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { id: connectionId, label } = found.data
  const loanId = createOpaqueId()
  const detail = { label, ...detailOf(to, asked.data) }
  const run = (work: () => Promise<Outcome<LoanChanged>>) =>
    runForConnection({ actor, action, requestId, connectionId, keeper: 'own', detail }, work)
  const write = (tx: Prisma.TransactionClient) => addLoan(tx, actor, { id: loanId, connectionId, to }, asked.data)
  const lent = holder ? await giveWithLoan(actor, { holder: holder.data, asked: asked.data }, run, write) : await run(() => inOneGo(write))
  const told = { kind: 'connection_lent', requestId, startsAt: asked.data.from, endsAt: asked.data.until } as const
  if (lent.ok) await Promise.all([tellBorrowers(actor, found.data, to, told), answerLent(actor)])
  return lent
}

/** Fields: loanId, those of access, and password if the sign-in is not recent. Also lends again what has ended. */
export async function changeLoan({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<LoanChanged>> {
  const action = 'connection.changeLoan'
  const found = await findLoan(actor, action, field('loanId'), { govern: false })
  if (!found.ok) return found
  const asked = await readAccessForm(actor, field)
  if (!asked.ok) return asked
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { connection, loan } = found.data
  const detail = { label: connection.label, ...detailOf(loan.to, asked.data), was: loan.sentence }
  const changed = await runForConnection({ actor, action, requestId, connectionId: connection.id, keeper: 'own', detail }, () =>
    inTransaction(async (tx) => {
      const validFrom = asked.data.from ?? begunBy(loan.seen.validFrom)
      if (!(await write(tx, loan, { ...columnsOf(asked.data), validFrom, operations: '' }))) return changedMeanwhile
      await tx.loanScope.deleteMany({ where: { loanId: loan.id } })
      await tx.loanScope.createMany({ data: asked.data.scopes.map((scope) => ({ loanId: loan.id, ...toScopeRow(scope) })) })
      return { ok: true, data: { loanId: loan.id } }
    }),
  )
  const told = { kind: 'loan_changed', requestId, startsAt: asked.data.from, endsAt: asked.data.until } as const
  if (changed.ok) await Promise.all([tellBorrowers(actor, connection, loan.to, told), answerLent(actor)])
  return changed
}

/**
 * Fields: loanId, access ("1" to end access to the same as well, if there is any), and for that password if the sign-in is not recent.
 * Requests are refused from then on, and streams end. Work on servers continues.
 */
export async function endLoan({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<LoanChanged>> {
  const action = 'connection.endLoan'
  const found = await findLoan(actor, action, field('loanId'), { govern: true })
  if (!found.ok) return found
  const { connection, loan } = found.data
  const holder = field('access') === '1' ? await findAccessHolder(actor, 'access.end', loan.to) : null
  if (holder && !holder.ok) return holder
  const unproven = holder ? await stepUp() : null
  if (unproven) return { ok: false, problem: unproven }
  const keeper = connection.ownerId === actor.user.id ? 'own' : 'team'
  const detail = { label: connection.label, ...whose(loan.to), about: loan.sentence }
  const run = (work: () => Promise<Outcome<LoanChanged>>) =>
    runForConnection({ actor, action, requestId, connectionId: connection.id, keeper, detail }, work)
  const end = async (tx: Prisma.TransactionClient) => {
    const at = new Date()
    if (loan.until !== null && loan.until <= at) return null
    return (await write(tx, loan, { until: at })) ? { loanId: loan.id } : null
  }
  const ended =
    holder && (await isAccessGiven(actor, loan.grant))
      ? await endWithLoan(actor, { holder: holder.data, loan: loan.grant, about: loan.about }, run, end)
      : await run(() => inOneGo(end))
  if (ended.ok) await tellBorrowers(actor, connection, loan.to, { kind: 'loan_ended', requestId })
  return ended
}

const changedMeanwhile = { ok: false, problem: problem('changed_meanwhile') } as const

const inOneGo = (change: (tx: Prisma.TransactionClient) => Promise<LoanChanged | null>): Promise<Outcome<LoanChanged>> =>
  inTransaction(async (tx) => {
    const data = await change(tx)
    return data ? { ok: true, data } : changedMeanwhile
  })

/** The writing statement. False if the loan, or what it is over, is no longer as it was seen. */
async function write(
  tx: Prisma.TransactionClient,
  { id, seen, grant }: StoredLoan,
  data: Prisma.LoanUpdateManyMutationInput,
): Promise<boolean> {
  if ((await tx.loan.updateMany({ where: { id, ...seen }, data })).count !== 1) return false
  const now = await tx.loan.findUniqueOrThrow({ where: { id }, include: { scopes: true } })
  return hasSameScopes(toGrant(now).scopes, grant.scopes)
}

async function readBorrowers(teamId: string, ownerId: string, text: string): Promise<Borrowers | null> {
  const [kind, id = ''] = text.split(' ')
  if (kind === 'team') return { userId: null, role: null, email: '' }
  if (kind === 'role') return isRole(id) ? { userId: null, role: id, email: '' } : null
  const member = kind === 'member' && id !== ownerId ? await findTarget(teamId, id) : null
  return member && { userId: member.userId, role: null, email: member.email }
}
