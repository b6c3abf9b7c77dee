/** A user's authenticator app: set up, confirmed with a code, removed. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import type { Person } from '../actor'
import { recordOwnChange } from '../own-change'
import { countTry, forgiveTry } from '../throttle'
import { hasSecondFactor } from './awaited'
import { removeFactor } from './last-factor'
import { drawQr, type QrDrawing } from './qr'
import { codesForFirst, replaceCodes } from './recovery-codes'
import { createSeed } from './seed'
import { findCode, takeCode } from './totp-code'

/** since: ISO time of the confirmation. */
export type TotpView = { since: string }

/** Null without a confirmed app. */
export async function findTotp(userId: string): Promise<TotpView | null> {
  const row = await db().totp.findUnique({ where: { userId }, select: { confirmedAt: true } })
  return row?.confirmedAt ? { since: row.confirmedAt.toISOString() } : null
}

/** secret: base32 in groups of four, to type in. qr: the same to scan. Shown once. */
export type TotpToAdd = { secret: string; qr: QrDrawing }

/** Creates a seed that counts only once a code of it was entered, and replaces an earlier unconfirmed one. */
export function startTotp(person: Person, requestId: string): Promise<Outcome<TotpToAdd>> {
  return recordOwnChange(person, 'person.startTotp', requestId, async () => {
    const userId = person.user.id
    const former = await db().totp.findUnique({ where: { userId }, select: { secretVersion: true } })
    const secretVersion = (former?.secretVersion ?? 0) + 1
    const { base32, uri, ...sealed } = await createSeed({ userId, secretVersion }, person.user.email)
    const next = { ...sealed, secretVersion, lastStep: 0, createdAt: new Date() }
    const changed = await db().$transaction(async (transaction) => {
      const where = { userId, confirmedAt: null, secretVersion: former?.secretVersion ?? 0 }
      if ((await transaction.totp.updateMany({ where, data: next })).count === 1) return true
      if ((await transaction.totp.count({ where: { userId } })) > 0) return false
      await transaction.totp.create({ data: { userId, ...next } })
      return true
    })
    if (!changed) return { ok: false, problem: present() }
    return { ok: true, data: { secret: base32.replace(/(.{4})(?=.)/g, '$1 '), qr: drawQr(uri) } }
  })
}

const present = (): Problem => problem('changed_meanwhile', { sentence: 'Your account has an authenticator app already. Remove it first.' })

/** From here on every sign-in asks for a code. Returns the recovery codes, shown once, if it is the account's first second factor. */
export function confirmTotp(person: Person, code: string, requestId: string): Promise<Outcome<{ codes: string[] }>> {
  return recordOwnChange(person, 'person.addTotp', requestId, async () => {
    const userId = person.user.id
    // Guessing it would keep a seed that its user has not scanned.
    const counted = [`first code of ${userId}`, { peer: `session ${person.sessionId}`, knownToken: null }] as const
    const waiting = await countTry(...counted)
    if (waiting) return { ok: false, problem: waiting }
    const found = await findCode({ userId, confirmed: false }, code)
    const also = { confirmedAt: new Date() }
    const codes =
      found &&
      (await db().$transaction(async (client) => ((await takeCode(found, { client, also })) ? codesForFirst(userId, client) : null)))
    if (codes) {
      await forgiveTry(...counted)
      return { ok: true, data: { codes } }
    }
    const why = 'This code is wrong. Enter the newest one, and check that the clock of your device is right. After 15 minutes, start again.'
    return { ok: false, problem: problem('invalid', { fields: { code: why } }) }
  })
}

/** Deletes the app and, with the last second factor, all recovery codes. Not the last one while the team requires one. */
export function removeTotp(person: Person, requestId: string): Promise<Outcome<null>> {
  return recordOwnChange(person, 'person.removeTotp', requestId, async () => {
    const userId = person.user.id
    const remove = async (client: Prisma.TransactionClient) => (await client.totp.deleteMany({ where: { userId } })).count
    return removeFactor(userId, remove, problem('not_found', { sentence: 'Your account has no authenticator app.' }))
  })
}

/** New recovery codes; the former ones, used or not, are worthless. */
export function renewCodes(person: Person, requestId: string): Promise<Outcome<{ codes: string[] }>> {
  return recordOwnChange(person, 'person.renewRecoveryCodes', requestId, async () => {
    const userId = person.user.id
    return db().$transaction(async (transaction): Promise<Outcome<{ codes: string[] }>> => {
      const codes = await replaceCodes(userId, transaction)
      if (await hasSecondFactor(userId, transaction)) return { ok: true, data: { codes } }
      await transaction.recoveryCode.deleteMany({ where: { userId } })
      return { ok: false, problem: problem('not_found', { sentence: 'Your account has no second factor.' }) }
    })
  })
}
