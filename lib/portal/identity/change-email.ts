/** Changes a user's own address, proven by a link that is mailed to the new one. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { sendMail, sendsMail } from '@/lib/portal/base/mail/send'
import { inTransaction } from '@/lib/portal/base/transaction'
import { notify } from '@/lib/portal/notifications/notify'
import type { Person } from './actor'
import { eventOf } from './check-password'
import { invalidEmail, parseEmail, refuseEmail } from './email'
import { createLink, dropLinks, findLink, linkClosed, takeLink } from './one-time-link'
import { recordOwnChange } from './own-change'
import { endOtherSessions, replaceSid } from './session'
import { countMail } from './throttle'

/**
 * Mails the link, unless somebody else has the address: the answer and its time are the same, so that it reveals no accounts. `sent`
 * waits for the mail, for tests.
 */
export async function requestEmail(
  actor: Person,
  given: string,
  peer: string,
  requestId: string,
): Promise<Outcome<{ email: string; sent: () => Promise<void> }>> {
  const email = parseEmail(given)
  if (!sendsMail())
    return { ok: false, problem: problem('forbidden', { sentence: 'A team owner or admin can change your address on the page Team.' }) }
  if (email === null) return refuseEmail(invalidEmail)
  if (email === actor.user.email) return refuseEmail('This is already your address.')
  if (!(await countMail('newAddress', email, peer))) return { ok: false, problem: problem('too_many') }
  const event = { ...eventOf(actor, 'person.requestEmail'), requestId, detail: { address: email } }
  await recordAudit({ ...event, stage: 'event', outcome: 'done' })
  return { ok: true, data: { email, sent: inNextTurn(() => mailLink(actor, email)) } }
}

/** The answer does not wait for it. Returns how to wait for it. */
function inNextTurn(send: () => Promise<unknown>): () => Promise<void> {
  const sending = new Promise<void>((resolve) => setImmediate(resolve))
    .then(send)
    .then(() => undefined)
    .catch((error: unknown) => log.error({ err: error }, 'a mail about a new address could not be sent'))
  return () => sending
}

async function mailLink({ user }: Person, email: string): Promise<void> {
  if ((await db().user.count({ where: { email } })) > 0) return
  const link = await createLink('email', user.id, { email })
  const text = `Confirm within one hour that ${user.name} uses this address for Gatehouse; the link works once:\n${link}\n\nIf you did not ask for it, ignore this mail.\n`
  await sendMail({ to: email, subject: 'New address for Gatehouse', text })
}

/** For the page of the link: the new address, or null if the link is not this user's or not valid. Changes nothing. */
export async function findNewEmail(actor: Person, token: unknown): Promise<string | null> {
  const link = await findLink('email', token)
  return link?.userId === actor.user.id ? link.email : null
}

/**
 * Uses the link. The user's other sessions and unused links end; returns this session's new id. Needs the user's own session, so that
 * whoever got the mail by mistake cannot take over the account, and is no fresh sign-in. `sent` as above.
 */
export async function confirmEmail(
  actor: Person,
  token: string,
  requestId: string,
): Promise<Outcome<{ sid: string; email: string; sent: () => Promise<void> }>> {
  const email = await findNewEmail(actor, token)
  if (email === null) return { ok: false, problem: linkClosed() }
  const named = { email: actor.user.email, address: email }
  const written = await recordOwnChange(actor, 'person.changeEmail', requestId, () => write(actor, token, email), named)
  if (!written.ok) return written
  const event = { kind: 'email_changed', onceKey: `email:${requestId}`, subject: { kind: 'user', id: actor.user.id } } as const
  await notify({ teamId: actor.team.id, userIds: [actor.user.id], ...event, detail: { email } })
  const mail = { to: actor.user.email, subject: 'Your address for Gatehouse has changed', text: formatAddressChanged(email) }
  return { ok: true, data: { sid: written.data, email, sent: inNextTurn(() => sendMail(mail)) } }
}

const formatAddressChanged = (email: string): string =>
  `Your Gatehouse account now uses the address ${email}. If that was not you, tell an owner of your team at once.\n`

/** Returns this session's new id. Refused if the link was used, the session has ended, or somebody else got the address meanwhile. */
function write({ user, sessionId }: Person, token: string, email: string): Promise<Outcome<string>> {
  const refused = { ok: false, problem: linkClosed() } as const
  return inTransaction(
    async (tx) => {
      if (!(await takeLink('email', token, tx))) return refused
      const sid = await replaceSid(sessionId, tx)
      const { count } = await tx.user.updateMany({ where: { id: user.id, email: user.email }, data: { email, emailProvenAt: new Date() } })
      if (sid === null || count === 0) return refused
      await endOtherSessions({ userId: user.id, keep: sessionId }, tx)
      await dropLinks(user.id, tx)
      return { ok: true, data: sid }
    },
    { taken: refused.problem },
  )
}
