/** Removes a second factor, unless the user could then not sign in any more. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Prisma } from '@/prisma/generated/portal/client'
import { hasSecondFactor, isLastFactorNeeded, mustKeepFactor } from './awaited'

/**
 * `remove` deletes within the transaction and says how many rows; none: the problem is `absent`. Recovery codes go with the last second
 * factor. Of two removals at once, the second sees what the first has left.
 */
export function removeFactor(
  userId: string,
  remove: (client: Prisma.TransactionClient) => Promise<number>,
  absent: Problem,
): Promise<Outcome<null>> {
  return inTransaction(async (client) => {
    // The write first: it takes SQLite's write lock, so what is read after it is current.
    if ((await remove(client)) === 0) return { ok: false, problem: absent }
    const refusal = await refuseLast(userId, client)
    if (refusal) return { ok: false, problem: refusal }
    if (!(await hasSecondFactor(userId, client))) await client.recoveryCode.deleteMany({ where: { userId } })
    return { ok: true, data: null }
  })
}

async function refuseLast(userId: string, client: Prisma.TransactionClient): Promise<Problem | null> {
  const ways = { passwordHash: null, passkeys: { none: {} }, externalIdentities: { none: {} } }
  if ((await client.user.count({ where: { id: userId, ...ways } })) > 0) return keep(onlyWay)
  const last = !(await hasSecondFactor(userId, client)) && (await mustKeepFactor(userId, client))
  return last ? keep(lastFactor) : null
}

/** For the page Account, before it is tried: why a user's only passkey has to stay; null if it may go, or there are several. */
export async function whyPasskeyStays(userId: string): Promise<string | null> {
  const select = {
    passwordHash: true,
    totp: { select: { confirmedAt: true } },
    _count: { select: { passkeys: true, externalIdentities: true } },
  }
  const user = await db().user.findUnique({ where: { id: userId }, select })
  if (user?._count.passkeys !== 1) return null
  if (user.passwordHash === null && user._count.externalIdentities === 0) return onlyWay
  return !user.totp?.confirmedAt && (await mustKeepFactor(userId)) ? lastFactor : null
}

/** The same for an authenticator app. */
export const whyAppStays = async (userId: string): Promise<string | null> => ((await isLastFactorNeeded(userId)) ? lastFactor : null)

const onlyWay = 'This is your only way to sign in. Add another one first.'
const lastFactor = 'You need a second factor in your team, and this is your last one.'

const keep = (sentence: string): Problem => problem('forbidden', { sentence })
