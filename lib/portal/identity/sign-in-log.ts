/** Sign-ins in the log of the process, in fixed words and order: deploy/fail2ban reads them. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Device } from '@/lib/portal/base/request/device'
import { parseEmail } from './email'

/**
 * One line at level info. What was typed is logged only where it is an email address, which is short and plain ASCII
 * without quotes: people type passwords into that field too, and nobody can write lines of the log through it.
 * reason: `invalid` for a wrong address or password, `too_many` for a try that was not looked at.
 */
export function logSignIn(signedIn: Outcome<unknown>, typed: string, { peer }: Device): void {
  const email = parseEmail(typed)
  if (signedIn.ok) log.info({ peer, email }, 'sign-in succeeded')
  else log.info({ peer, email, reason: signedIn.problem.code }, 'sign-in failed')
}
