/** Checks the use of a passkey: challenge, site, user verification, signature and counter. */
import 'server-only'
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Passkey } from '@/prisma/generated/portal/client'
import { type Bound, takeChallenge } from './challenges'
import { relyingParty, whyNoPasskeys } from './relying-party'
import { challengeOf, readUsed } from './response'

/**
 * reason: for the audit log only, because whoever tries gets the same answer for all of them. Null for what answers no open challenge,
 * which is not logged: it could be sent without end, while challenges are limited.
 */
export type Checked = { ok: true; userId: string } | { ok: false; userId: string | null; reason: string | null }

const no = (reason: string | null, userId: string | null = null): Checked => ({ ok: false, userId, reason })

/** One sentence for all reasons, so that it does not tell which passkeys and accounts exist. */
export const refusePasskey = (): Problem => problem('invalid', { fields: { passkey: 'This passkey was not accepted. Try again.' } })

/** The user whose passkey was used, which must be `userId` if given. Uses the challenge up whatever the result. */
export async function checkPasskey(text: string, bound: Bound, userId?: string): Promise<Checked> {
  const response = whyNoPasskeys() === null ? readUsed(text) : null
  if (!response) return no(null)
  const challenge = challengeOf(response.response.clientDataJSON)
  if (typeof challenge !== 'string' || !(await takeChallenge(challenge, bound))) return no(null)
  const passkey = await db().passkey.findUnique({ where: { id: response.id } })
  if (!passkey || (userId !== undefined && passkey.userId !== userId)) return no('unknown passkey')
  const counter = isHandleOf(passkey, response) ? await verify(response, challenge, passkey) : null
  if (counter === null) return no('wrong signature', passkey.userId)
  return (await advance(passkey, counter)) ? { ok: true, userId: passkey.userId } : no('counter went back', passkey.userId)
}

/** The user handle is the user's id. A passkey that was asked for by its id may leave it out. */
const isHandleOf = ({ userId }: Passkey, { response: { userHandle } }: AuthenticationResponseJSON): boolean =>
  userHandle === undefined || Buffer.from(userHandle, 'base64url').toString('utf8') === userId

/** The authenticator's counter, or null. */
async function verify(response: AuthenticationResponseJSON, expectedChallenge: string, passkey: Passkey): Promise<number | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedRPID,
      expectedOrigin,
      requireUserVerification: true,
      // The counter is compared by the statement that stores it.
      credential: { id: passkey.id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

// Authenticators count with 32 bits, the column has a sign.
export const storedCounter = (counter: number): number => Math.min(counter, 2 ** 31 - 1)

/** False if the counter did not grow, which a copied authenticator shows by; 0 means that there is none. */
async function advance({ id, userId }: Passkey, given: number): Promise<boolean> {
  const counter = storedCounter(given)
  const grew = counter === 0 ? 0 : { lt: counter }
  const { count } = await db().passkey.updateMany({ where: { id, userId, counter: grew }, data: { counter, lastUsedAt: new Date() } })
  return count === 1
}
