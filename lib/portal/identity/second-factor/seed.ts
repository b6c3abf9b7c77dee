/** The seed of a user's authenticator app, encrypted in its row and bound to the user. */
import 'server-only'
import { Secret, TOTP } from 'otpauth'
import { bindTotp } from '@/lib/portal/custody/binding'
import { openUnderRing, sealUnderRing } from '@/lib/portal/custody/ring'
import type { Totp } from '@/prisma/generated/portal/client'

type SeedRow = Pick<Totp, 'userId' | 'secretVersion'>

const stepSeconds = 30
const seedBytes = 20
const issuer = 'Gatehouse'

/** What every authenticator app supports: SHA-1, six digits, 30 seconds. */
const totpOf = (secret: Secret, label: string): TOTP =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: stepSeconds })

export type NewSeed = { sealed: Uint8Array<ArrayBuffer>; kekId: string; base32: string; uri: string }

/** A random seed: encrypted for its row, and as the app takes it, typed (base32) or scanned (uri). */
export async function createSeed(row: SeedRow, email: string): Promise<NewSeed> {
  const secret = new Secret({ size: seedBytes })
  const { sealed, kekId } = await sealUnderRing(secret.bytes, bindTotp(row))
  return { sealed, kekId, base32: secret.base32, uri: totpOf(secret, email).toString() }
}

/**
 * The time step to which a six-digit code belongs: the present one, the one before or the one after, since clocks differ. Null if it
 * belongs to none. Throws SealBroken.
 */
export async function findStep(row: SeedRow & Pick<Totp, 'sealed'>, code: string, now: number): Promise<number | null> {
  const seed = await openUnderRing(row.sealed, bindTotp(row))
  try {
    const secret = new Secret({ buffer: Uint8Array.from(seed).buffer })
    const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: 1 })
    secret.bytes.fill(0)
    return delta === null ? null : Math.floor(now / 1000 / stepSeconds) + delta
  } finally {
    seed.fill(0)
  }
}
