/** Counts sign-in attempts in the database, per account and per peer, so that a restart does not help an attacker to guess. */
import 'server-only'
import { createHash } from 'node:crypto'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { isTaken } from '@/lib/portal/base/transaction'
import type { SignInThrottle } from '@/prisma/generated/portal/client'
import { normaliseEmail } from './email'
import { isKnownDevice } from './known-device'
import { hashToken } from './token'

type Policy = {
  /** Seconds until the next attempt is allowed after this many failures. */
  delaySeconds(failures: number): number
  /** Failures older than this no longer count. */
  forgottenAfterMs: number
  /** The failure from which the time counts: the first of a window (peers) or the last (accounts). */
  countsFrom: 'first' | 'last'
}

/** Five failures, then half a minute, doubling up to half an hour; resets after a day without failures. */
const account: Policy = {
  delaySeconds: (failures) => (failures < 5 ? 0 : Math.min(1800, 30 * 2 ** (failures - 5))),
  forgottenAfterMs: 24 * 60 * 60_000,
  countsFrom: 'last',
}

/** Twenty failures a minute from one network address. */
const peer: Policy = { delaySeconds: (failures) => (failures < 20 ? 0 : 60), forgottenAfterMs: 60_000, countsFrom: 'first' }

const challenges: Policy = { ...peer, delaySeconds: (count) => (count < 60 ? 0 : 60) }

/** Mails with a link: three an hour to one address, twenty an hour from one network address. */
const mailsOf = (most: number): Policy => ({
  delaySeconds: (count) => (count < most ? 0 : 3600),
  forgottenAfterMs: 60 * 60_000,
  countsFrom: 'first',
})
const [mailAccount, mailPeer] = [mailsOf(3), mailsOf(20)]

/** Addresses are stored as hashes, because users also type passwords into that field. */
const hashAddress = (email: string): string => createHash('sha256').update(normaliseEmail(email)).digest('hex')
const accountKey = (email: string): string => `account:${hashAddress(email)}`
const peerKey = (address: string): string => `peer:${address}`
const deviceKey = (email: string, token: string): string => `device:${hashToken(token)}:${hashAddress(email)}`

/** The source of an attempt. knownToken: the device token if this user has signed in from that browser before, else null. */
export type TrySource = { peer: string; knownToken: string | null }

/** The source of an attempt to sign in as this user; `token` is the browser's, unchecked. */
export async function findSource(email: string, peer: string, token: string | null): Promise<TrySource> {
  return { peer, knownToken: (await isKnownDevice(email, token)) ? token : null }
}

/**
 * Counts an attempt as failed before it is made, so that a thousand simultaneous ones gain nothing; forgiveTry subtracts a success.
 * Returns the refusal if the account or the peer has to wait. A known device has its own counter, as strict as an account's, so that
 * attempts made elsewhere do not lock out its owner.
 */
export async function countTry(email: string, source: TrySource): Promise<Problem | null> {
  return refuseFor(await countFrom(email, source))
}

/** Counts a challenge for a passkey, because each is a row: sixty a minute to one network address. */
export const countChallenge = async (address: string): Promise<Problem | null> =>
  refuseFor(await countUnder(`passkey ${peerKey(address)}`, challenges))

function refuseFor(waitMs: number): Problem | null {
  if (waitMs === 0) return null
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  return problem('too_many', { sentence: `Too many attempts. Wait ${inWords(retryAfterSeconds)} and try again.`, retryAfterSeconds })
}

async function countFrom(email: string, source: TrySource): Promise<number> {
  if (source.knownToken !== null) return countUnder(deviceKey(email, source.knownToken), account)
  return (await countUnder(peerKey(source.peer), peer)) || (await countUnder(accountKey(email), account))
}

/**
 * Counts a mail with a link, each kind separately; false if there were too many. Known and unknown addresses are counted alike. What a blocked
 * peer asks for is not counted for the address, so that nobody uses up somebody else's mails.
 */
export async function countMail(kind: 'reset' | 'newAddress', email: string, address: string): Promise<boolean> {
  if ((await countUnder(`${kind} ${peerKey(address)}`, mailPeer)) > 0) return false
  return (await countUnder(`${kind} ${accountKey(email)}`, mailAccount)) === 0
}

/**
 * After a success: resets the counter that was used, gives the peer its attempt back, and deletes obsolete rows. A success on a known
 * device does not reset the account's counter; otherwise each one would give an attacker five more attempts.
 */
export async function forgiveTry(email: string, source: TrySource): Promise<void> {
  if (source.knownToken !== null) await db().signInThrottle.deleteMany({ where: { key: deviceKey(email, source.knownToken) } })
  else await forgiveStranger(email, source.peer)
  await forgetOldTries()
}

/** Deletes the rows that no longer count, whatever they counted. Returns how many. */
export async function forgetOldTries(now = Date.now()): Promise<number> {
  const where = { blockedUntil: { lt: new Date(now - account.forgottenAfterMs) } }
  return (await db().signInThrottle.deleteMany({ where })).count
}

async function forgiveStranger(email: string, address: string): Promise<void> {
  await forgetAccount(email)
  await db().signInThrottle.updateMany({ where: { key: peerKey(address), failures: { gt: 0 } }, data: { failures: { decrement: 1 } } })
}

/** Resets an account's failures, because its owner has authenticated in another way. */
export async function forgetAccount(email: string): Promise<void> {
  await db().signInThrottle.deleteMany({ where: { key: accountKey(email) } })
}

/** Counts one more attempt and returns 0; if the caller has to wait, returns the milliseconds and counts nothing. */
async function countUnder(key: string, policy: Policy): Promise<number> {
  const row = await db().signInThrottle.findUnique({ where: { key } })
  const now = Date.now()
  const waitMs = row === null || moveIntoWindow(row, policy, now) ? 0 : row.blockedUntil.getTime() - now
  return waitMs > 0 ? waitMs : inTurnOf(key, () => countNow(key, policy))
}

const turns = processState('throttle turns', () => new Map<string, Promise<unknown>>())

/** One after the other for each key: of fifty at once, each would otherwise find the row changed by another one, and write fifty times in vain. */
function inTurnOf<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns().get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const forget = () => void (turns().get(key) === mine && turns().delete(key))
  turns().set(key, mine)
  mine.then(forget, forget)
  return mine
}

async function countNow(key: string, policy: Policy): Promise<number> {
  // If another process counts at the same time, one of them finds the row changed and starts again.
  for (;;) {
    const now = Date.now()
    const row = await db().signInThrottle.findUnique({ where: { key } })
    const moved = row && moveIntoWindow(row, policy, now)
    if (row && moved) await replace(key, row, moved)
    else if (row && row.blockedUntil.getTime() > now) return row.blockedUntil.getTime() - now
    else if (await replace(key, row, nextRow(row, policy, now))) return 0
  }
}

/** If the clock was set back: the row adjusted to it, so that no wait is longer than intended. Else null. */
function moveIntoWindow({ key: _, ...row }: SignInThrottle, policy: Policy, now: number): Omit<SignInThrottle, 'key'> | null {
  const latest = now + policy.delaySeconds(row.failures) * 1000
  if (row.firstAt.getTime() <= now && row.blockedUntil.getTime() <= latest) return null
  const earlier = (time: Date, end: number) => new Date(Math.min(time.getTime(), end))
  return { ...row, firstAt: earlier(row.firstAt, now), blockedUntil: earlier(row.blockedUntil, latest) }
}

function nextRow(row: SignInThrottle | null, policy: Policy, now: number): Omit<SignInThrottle, 'key'> {
  const since = row && (policy.countsFrom === 'first' ? row.firstAt : row.blockedUntil).getTime()
  const counts = row && since !== null && now - since < policy.forgottenAfterMs
  const failures = counts ? row.failures + 1 : 1
  const firstAt = counts ? row.firstAt : new Date(now)
  return { failures, firstAt, blockedUntil: new Date(now + policy.delaySeconds(failures) * 1000) }
}

async function replace(key: string, old: SignInThrottle | null, next: Omit<SignInThrottle, 'key'>): Promise<boolean> {
  if (old) {
    const { failures, firstAt, blockedUntil } = old
    const { count } = await db().signInThrottle.updateMany({ where: { key, failures, firstAt, blockedUntil }, data: next })
    return count === 1
  }
  const { count } = await db()
    .signInThrottle.createMany({ data: [{ key, ...next }] })
    .catch((error: unknown) => {
      if (isTaken(error)) return { count: 0 }
      throw error
    })
  return count === 1
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
