/** The challenges that passkeys sign: 32 random bytes, each valid once, for 5 minutes, for one purpose and one browser or session. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { PasskeyChallengeKind } from '@/prisma/generated/portal/client'
import { countChallenge } from '../throttle'
import { createToken, hashToken, isToken } from '../token'

/** boundTo: a session's row id, or the hash of a secret that only one browser has. */
export type Bound = { purpose: PasskeyChallengeKind; boundTo: string }

const lifeMs = 5 * 60_000

/** The challenge as base64url. `too_many` if this network address asked for too many, because each is a row. */
export async function createChallenge({ purpose, boundTo }: Bound, peer: string): Promise<Outcome<{ challenge: string }>> {
  const refusal = await countChallenge(peer)
  if (refusal) return { ok: false, problem: refusal }
  const challenge = createToken()
  const now = Date.now()
  await db().passkeyChallenge.deleteMany({ where: { expiresAt: { lte: new Date(now) } } })
  await db().passkeyChallenge.create({
    data: { challengeHash: hashToken(challenge), purpose, boundTo, expiresAt: new Date(now + lifeMs) },
  })
  return { ok: true, data: { challenge } }
}

/** Uses a challenge up: true for exactly one caller. */
export async function takeChallenge(challenge: unknown, bound: Bound): Promise<boolean> {
  if (!isToken(challenge)) return false
  const where = { challengeHash: hashToken(challenge), ...bound, expiresAt: { gt: new Date() } }
  return (await db().passkeyChallenge.deleteMany({ where })).count === 1
}
