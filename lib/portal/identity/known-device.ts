/** Browsers in which a user has signed in before. Their attempts are counted separately, so that guessing cannot lock out an owner. */
import 'server-only'
import { cookies } from 'next/headers'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { describeCookie } from './cookie'
import { nameDevice } from './device-name'
import { parseEmail } from './email'
import { createToken, hashToken, isToken } from './token'

// The maximum lifetime that browsers allow for cookies.
const keptForMs = 400 * 24 * 60 * 60_000
const maxPerPerson = 20

/** The token of this browser, not yet checked against the database; null if it has none. */
export async function readDeviceToken(): Promise<string | null> {
  const value = (await cookies()).get(describeCookie('device').name)?.value
  return isToken(value) ? value : null
}

/** Whether the user with this address has signed in from the browser with this token. */
export async function isKnownDevice(email: string, token: string | null): Promise<boolean> {
  if (token === null) return false
  const person = { email: parseEmail(email) ?? '' }
  const seenAt = { gt: new Date(Date.now() - keptForMs) }
  return (await db().knownDevice.count({ where: { tokenHash: hashToken(token), user: person, seenAt } })) > 0
}

/**
 * Records a sign-in from a browser and returns the browser's new token. The token changes each time, so a copied or planted one is
 * worthless after the next sign-in. Other users of the same browser keep theirs.
 */
export async function rememberDevice(userId: string, former: string | null): Promise<string> {
  const token = createToken()
  const [tokenHash, seenAt] = [hashToken(token), new Date()]
  await db().$transaction(async (transaction) => {
    if (former !== null) await transaction.knownDevice.updateMany({ where: { tokenHash: hashToken(former) }, data: { tokenHash } })
    await transaction.knownDevice.upsert({
      where: { tokenHash_userId: { tokenHash, userId } },
      create: { tokenHash, userId, seenAt },
      update: { seenAt },
    })
    const surplus = await transaction.knownDevice.findMany({ where: { userId }, orderBy: { seenAt: 'desc' }, skip: maxPerPerson })
    await transaction.knownDevice.deleteMany({ where: { userId, tokenHash: { in: surplus.map((device) => device.tokenHash) } } })
  })
  return token
}

/**
 * Sends the token to the browser, after a session was opened for it. Not while the session awaits a second factor: whoever only has the
 * password would get a new counter of attempts each time. Only in actions and route handlers.
 */
export async function rememberThisDevice(sid: string): Promise<void> {
  const select = { id: true, userId: true, teamId: true, userAgent: true, peer: true, awaits: true }
  const session = await db().session.findUnique({ where: { sidHash: hashToken(sid) }, select })
  if (!session || session.awaits !== null) return
  await notifyNewDevice(session, await readDeviceToken())
  const { name, options } = describeCookie('device')
  const value = await rememberDevice(session.userId, await readDeviceToken())
  const store = await cookies()
  store.set({ name, value, maxAge: keptForMs / 1000, ...options })
}

type SignedIn = { id: string; userId: string; teamId: string; userAgent: string; peer: string }

/** Tells a user about a sign-in from a browser that is not known, unless it is the very first one. */
export async function notifyNewDevice({ id, userId, teamId, userAgent, peer }: SignedIn, token: string | null): Promise<void> {
  const known = await db().knownDevice.findMany({ where: { userId }, select: { tokenHash: true } })
  if (known.length === 0 || (token !== null && known.some(({ tokenHash }) => tokenHash === hashToken(token)))) return
  await notify({
    teamId,
    userIds: [userId],
    kind: 'new_device',
    onceKey: `new_device ${id}`,
    subject: { kind: 'session', id },
    detail: { device: nameDevice(userAgent), peer },
  })
}
