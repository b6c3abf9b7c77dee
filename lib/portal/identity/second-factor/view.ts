/** What a user can prove who they are with, as the page Account shows it. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { listPasskeys, type PasskeyView } from '../passkeys/own'
import { whyNoPasskeys } from '../passkeys/relying-party'
import { whyAppStays, whyPasskeyStays } from './last-factor'
import { countCodes } from './recovery-codes'
import { findTotp, type TotpView } from './totp'

export type FactorsView = {
  hasPassword: boolean
  passkeys: PasskeyView[]
  /** Why this portal offers no passkeys; null if it does. */
  noPasskeys: string | null
  totp: TotpView | null
  /** Unused recovery codes. */
  codesLeft: number
  /** Why the last of them may not be removed; null if it may, or is not the last. */
  stays: { passkey: string | null; app: string | null }
}

export async function readFactors(userId: string): Promise<FactorsView> {
  const hasPassword = (await db().user.count({ where: { id: userId, passwordHash: { not: null } } })) > 0
  const [passkeys, totp, codesLeft] = await Promise.all([listPasskeys(userId), findTotp(userId), countCodes(userId)])
  const [passkey, app] = await Promise.all([whyPasskeyStays(userId), whyAppStays(userId)])
  return { hasPassword, passkeys, noPasskeys: whyNoPasskeys(), totp, codesLeft, stays: { passkey, app } }
}
