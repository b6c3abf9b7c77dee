/** Logs sign-ins in the process log, in a fixed format that deploy/fail2ban parses. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Device } from '@/lib/portal/base/request/device'
import { parseEmail } from './email'

/**
 * One line at level info. Logs the typed text only if it is an email address, which is short plain ASCII without quotes: users also type
 * passwords into that field, and this prevents forged log lines.
 * reason: `invalid` for a wrong address, password or code, `too_many` for an attempt that was refused unchecked.
 */
export function logSignIn(signedIn: Outcome<unknown>, typed: string, { peer }: Device): void {
  const email = parseEmail(typed)
  if (signedIn.ok) log.info({ peer, email }, 'sign-in succeeded')
  else log.info({ peer, email, reason: signedIn.problem.code }, 'sign-in failed')
}
