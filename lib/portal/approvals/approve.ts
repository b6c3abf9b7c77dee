/** The second person: approves a held request, which is then sent exactly as it was digested. Or an owner goes without. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import type { Person } from '@/lib/portal/identity/actor'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { whatOf } from '@/lib/portal/spine/held/what'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { formatMinute } from '@/lib/text/minute'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { alreadyOver, erased, isLate, moveHeld, tooLate } from './end'
import { expireHeld } from './expire'
import { type FoundHeld, findHeld, mayPass } from './find'
import { readSendAt, schedule } from './later'
import { type SentHeld, sendClaimed } from './send'
import { leaveToAsker, takenAs } from './take'

const ownRequest = problem('forbidden', { sentence: 'Another member has to approve what you asked for.' })

const ownersOnly = problem('forbidden', { sentence: 'Only an owner can go without a second person, for what they asked for themselves.' })

const otherDigest = problem('changed_meanwhile', {
  sentence: 'This request is not the one that the page showed. Reload the page.',
})

/**
 * Fields: heldId; digest, of the request as the page showed it; sendAt (ISO, or empty for at once); and a proof if the sign-in is not
 * recent.
 */
export async function approveHeld(input: OwnInput): Promise<Outcome<SentHeld>> {
  const sendAt = readSendAt(input.field('sendAt'))
  if (!sendAt.ok) return sendAt
  const mayDecide: Decision['mayDecide'] = ({ own, mayDecide: may }) => (own ? ownRequest : may)
  return decideHeld(input, { action: 'approval.approve', why: '', sendAt: sendAt.data, mayDecide })
}

const [minReason, maxReason] = [10, 200]

/**
 * For an owner who cannot wait: sends what they asked for without a second person. Every owner is notified before it is sent. Fields as for
 * approveHeld, and reason.
 */
export async function passHeld(input: OwnInput): Promise<Outcome<SentHeld>> {
  const why = input.field('reason').trim()
  if (why.length < minReason || why.length > maxReason) {
    const sentence = `Say why, in ${minReason} to ${maxReason} characters: every owner reads it.`
    return { ok: false, problem: problem('invalid', { fields: { reason: sentence } }) }
  }
  return decideHeld(input, {
    action: 'approval.pass',
    why,
    sendAt: null,
    mayDecide: (found, actor) => (mayPass(found, actor) ? true : ownersOnly),
  })
}

const notLater = problem('invalid', { fields: { sendAt: 'Leave this empty: whoever asked takes it once you have approved it.' } })

type Decision = {
  action: Extract<OwnAction, 'approval.approve' | 'approval.pass'>
  why: string
  sendAt: Date | null
  mayDecide: (found: FoundHeld, actor: Person) => Problem | boolean
}

async function decideHeld({ actor, requestId, field, stepUp }: OwnInput, decision: Decision): Promise<Outcome<SentHeld>> {
  const { action, why, sendAt } = decision
  const found = await findHeld(actor, field('heldId'))
  const object = { kind: 'heldRequest', id: found?.row.id ?? field('heldId') } as const
  const refused = found ? await refuse(actor, found, decision, field('digest')) : problem('not_found')
  if (!found || refused) {
    const problemOf = refused ?? problem('not_found')
    if (problemOf.code === 'not_found' || problemOf.code === 'forbidden') await recordDenied(actor, action, object, problemOf.code)
    return { ok: false, problem: problemOf }
  }
  const { row } = found
  if (sendAt && takenAs(row.action) !== null) return { ok: false, problem: notLater }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  // What it needs of role, access and connection is decided with what is sealed, here and when it is sent.
  const needs = { subject: 'servers', effect: findOperation(row.action)?.effect ?? 'read' } as const
  const detail = {
    name: row.targetName,
    about: row.action,
    digest: row.digest,
    ...(why !== '' && { why }),
    ...(sendAt && { until: formatMinute(sendAt) }),
  }
  return runRecorded({ actor, action, requestId, object, needs, detail }, async (now) => {
    const still = await findHeld(now, row.id)
    const lapsed = still ? await refuse(now, still, decision, row.digest) : problem('not_found')
    return !still || lapsed
      ? { ok: false, problem: lapsed ?? problem('not_found') }
      : sendAt
        ? schedule(now, still.row, sendAt)
        : takenAs(row.action) === null
          ? claimAndSend(now, still.row, why)
          : leaveToAsker(now, still.row)
  })
}

async function refuse(actor: Person, found: FoundHeld, { mayDecide }: Decision, digest: string): Promise<Problem | null> {
  const { row } = found
  const may = mayDecide(found, actor)
  if (row.state !== 'waiting') return alreadyOver
  if (may !== true) return may === false ? problem('forbidden') : may
  if (isLate(row)) {
    await expireHeld(row)
    return tooLate
  }
  return digest === row.digest ? null : otherDigest
}

/**
 * The row is claimed first, so that of two approvals at once one sends. Whatever follows, the request is over, and nothing of it stays
 * sealed. why: set if an owner goes without a second person.
 */
async function claimAndSend(by: Person, row: HeldRequest, why: string): Promise<Outcome<SentHeld>> {
  const decided = { decidedById: by.user.id, decidedAt: new Date(), reason: why }
  if (!(await moveHeld(row, 'waiting', { ...erased, ...decided, state: 'sending' }))) return { ok: false, problem: alreadyOver }
  const passes = why !== ''
  if (passes) await tellOwners(by, row, why)
  return sendClaimed(row, passes ? null : by, passes ? null : by.user.name)
}

async function tellOwners(by: Person, row: HeldRequest, why: string): Promise<void> {
  const { id, teamId } = row
  const [userIds, detail] = [await findMembers(teamId, ['owner']), { who: by.user.name, what: whatOf(row), why }]
  // Of the request itself, owners with less access would not be shown it.
  const subject = { kind: 'user', id: by.user.id } as const
  await notify({ teamId, userIds, kind: 'approval_passed', onceKey: `passed ${id}`, subject, detail })
}
