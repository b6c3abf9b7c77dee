/** What a browser gets when a passkey is to be used. */
import 'server-only'
import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Outcome } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { type Bound, createChallenge } from './challenges'
import { refuseWithoutPasskeys, relyingParty } from './relying-party'

export type PasskeyToUse = { options: PublicKeyCredentialRequestOptionsJSON }

/** `userId`: only this user's passkeys. Without it the browser offers what it has, so that nobody learns who has one. */
export async function askPasskey(bound: Bound, peer: string, userId?: string): Promise<Outcome<PasskeyToUse>> {
  const absent = refuseWithoutPasskeys()
  if (absent) return { ok: false, problem: absent }
  const created = await createChallenge(bound, peer)
  if (!created.ok) return created
  const known = userId === undefined ? [] : await describePasskeys(userId)
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: Uint8Array.from(Buffer.from(created.data.challenge, 'base64url')),
    userVerification: 'required',
    timeout: 5 * 60_000,
    allowCredentials: known,
  })
  return { ok: true, data: { options } }
}

/** A user's passkeys as options name them. */
export async function describePasskeys(userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db().passkey.findMany({ where: { userId }, select: { id: true, transports: true } })
  return rows.map(({ id, transports }) => ({ id, transports: transports.split(',').filter(Boolean) }))
}
