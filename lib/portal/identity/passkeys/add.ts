/** Adds a passkey to a user's own account. */
import 'server-only'
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Device } from '@/lib/portal/base/request/device'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Prisma } from '@/prisma/generated/portal/client'
import type { Person } from '../actor'
import { nameDevice } from '../device-name'
import { recordOwnChange } from '../own-change'
import { codesForFirst } from '../second-factor/recovery-codes'
import { type Bound, createChallenge, takeChallenge } from './challenges'
import { storedCounter } from './check'
import { describePasskeys } from './options'
import { refuseWithoutPasskeys, relyingParty } from './relying-party'
import { challengeOf, readCreated } from './response'

export type PasskeyToAdd = { options: PublicKeyCredentialCreationOptionsJSON }

export const maxPasskeys = 20

// Ed25519, P-256 and RSA. Others would make what a browser sends much longer.
const algorithms = [-8, -7, -257]

const boundTo = ({ sessionId }: Person): Bound => ({ purpose: 'register', boundTo: sessionId })

/** What the browser needs to create a passkey for this account. After step-up only. */
export async function startPasskey(person: Person, peer: string): Promise<Outcome<PasskeyToAdd>> {
  const absent = refuseWithoutPasskeys()
  if (absent) return { ok: false, problem: absent }
  const excludeCredentials = await describePasskeys(person.user.id)
  if (excludeCredentials.length >= maxPasskeys) return { ok: false, problem: tooMany() }
  const created = await createChallenge(boundTo(person), peer)
  if (!created.ok) return created
  const options = await generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: relyingParty().id,
    userName: person.user.email,
    userDisplayName: person.user.name,
    userID: Uint8Array.from(Buffer.from(person.user.id, 'utf8')),
    challenge: Uint8Array.from(Buffer.from(created.data.challenge, 'base64url')),
    timeout: 5 * 60_000,
    attestationType: 'none',
    excludeCredentials,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return { ok: true, data: { options } }
}

/** Stores the passkey, named after the browser. Returns the recovery codes, shown once, if it is the account's first second factor. */
export function addPasskey(person: Person, text: string, device: Device, requestId: string): Promise<Outcome<{ codes: string[] }>> {
  return recordOwnChange(person, 'person.addPasskey', requestId, async () => {
    const response = readCreated(text)
    const challenge = response && challengeOf(response.response.clientDataJSON)
    if (!response || typeof challenge !== 'string') return { ok: false, problem: unverified() }
    if (!(await takeChallenge(challenge, boundTo(person)))) return { ok: false, problem: tooLate() }
    const row = await verify(response, challenge)
    if (!row) return { ok: false, problem: unverified() }
    const label = nameDevice(device.userAgent)
    return keep({ ...row, label, userId: person.user.id })
  })
}

async function verify(response: RegistrationResponseJSON, expectedChallenge: string) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedRPID,
      expectedOrigin,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { credential, credentialBackedUp: backedUp } = registrationInfo
    const { id, counter, publicKey } = credential
    const transports = (response.response.transports ?? []).join(',')
    return { id, publicKey: Uint8Array.from(publicKey), counter: storedCounter(counter), transports, backedUp }
  } catch {
    return null
  }
}

/** The write first: it takes SQLite's write lock, so what is counted after it is current. */
function keep(data: Prisma.PasskeyUncheckedCreateInput): Promise<Outcome<{ codes: string[] }>> {
  return inTransaction(
    async (tx) => {
      await tx.passkey.create({ data })
      if ((await tx.passkey.count({ where: { userId: data.userId } })) > maxPasskeys) return { ok: false, problem: tooMany() }
      return { ok: true, data: { codes: await codesForFirst(data.userId, tx) } }
    },
    { taken: unverified() },
  )
}

const tooMany = (): Problem => problem('forbidden', { sentence: `Your account has ${maxPasskeys} passkeys. Remove one first.` })
const tooLate = (): Problem => problem('invalid', { sentence: 'It took too long. Try again.' })
// Also for a passkey that is registered already, to whomever it belongs.
const unverified = (): Problem => problem('invalid', { sentence: 'This passkey was not accepted. Try again.' })
