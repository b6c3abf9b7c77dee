/** Forgot password: mails a reset link, without revealing whether the address has an account. */
import 'server-only'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { sendMail, sendsMail } from '@/lib/portal/base/mail/send'
import type { Device } from '@/lib/portal/base/request/device'
import { parseEmail } from './email'
import { lastingMemberships } from './membership'
import { createLink } from './one-time-link'
import { countMail } from './throttle'

/**
 * Resolves once the request is counted, which takes equally long for every address. Everything that depends on the account happens
 * afterwards; the returned function waits for that, for tests.
 */
export async function requestReset(given: string, device: Device): Promise<() => Promise<void>> {
  const allowed = sendsMail() && (await countMail('reset', given, device.peer))
  const email = parseEmail(given)
  // The next turn, so that the answer is already on its way.
  const sending = new Promise<void>((resolve) => setImmediate(resolve))
    .then(() => (allowed && email !== null ? mailReset(email, device) : undefined))
    .catch((error: unknown) => log.error({ err: error }, 'a reset link could not be mailed'))
  return () => sending
}

async function mailReset(email: string, { peer, userAgent }: Device): Promise<void> {
  const user = await db().user.findUnique({
    where: { email },
    select: { id: true, disabledAt: true, memberships: { where: lastingMemberships(), take: 1, orderBy: { createdAt: 'asc' } } },
  })
  const teamId = user?.memberships[0]?.teamId
  if (!user || user.disabledAt || teamId === undefined) return
  await recordAudit({
    teamId,
    actor: { kind: 'nobody' },
    action: 'person.requestReset',
    object: { kind: 'user', id: user.id },
    stage: 'event',
    outcome: 'done',
    detail: { email, peer, userAgent, via: 'mail' },
  })
  const link = await createLink('reset', user.id)
  const text = `Set a new password within one hour; the link works once:\n${link}\n\nIf you did not ask for it, ignore this mail.\n`
  await sendMail({ to: email, subject: 'New password for Gatehouse', text })
}
