/** Passkeys on the sign-in page, and over a page whose session has ended. */
import 'server-only'
import { cookies } from 'next/headers'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { readDevice } from '@/lib/portal/base/request/device'
import { type Awaiting, findAwaiting } from '../actor'
import { describeCookie, readSid } from '../cookie'
import { readDeviceToken } from '../known-device'
import { finishWithPasskey } from '../second-factor/finish-sign-in'
import { enterBrowser, keepFinished } from '../sign-in-browser'
import { countChallenge } from '../throttle'
import { createToken, hashToken, isToken } from '../token'
import { askPasskey, type PasskeyToUse } from './options'
import { refuseWithoutPasskeys } from './relying-party'
import { signInWithPasskey } from './sign-in'

const bindingSeconds = 10 * 60

/** After the password: a passkey of that user. Otherwise: any. Only in actions, because it may set a cookie. */
export async function askPasskeyOfBrowser(): Promise<Outcome<PasskeyToUse>> {
  const absent = refuseWithoutPasskeys()
  if (absent) return { ok: false, problem: absent }
  const { peer } = await readDevice()
  const awaiting = await findHalfSignedIn()
  if (awaiting) return askPasskey({ purpose: 'signIn', boundTo: awaiting.person.sessionId }, peer, awaiting.person.user.id)
  return askPasskey({ purpose: 'signIn', boundTo: (await readBinding()) ?? (await createBinding()) }, peer)
}

/** Signs in, or finishes a sign-in that awaits a second factor: null on success. Only in actions. */
export async function signInBrowserWithPasskey(passkey: string): Promise<Problem | null> {
  const awaiting = await findHalfSignedIn()
  if (!awaiting) return enter(passkey, null)
  return keepFinished(await finishWithPasskey(awaiting, passkey, await readDevice()))
}

/** The same for a page that stays as it is: only for the account that it was shown to. Only in actions. */
export const signInAgainBrowserWithPasskey = (passkey: string, email: string): Promise<Problem | null> => enter(passkey, email)

async function enter(passkey: string, email: string | null): Promise<Problem | null> {
  const [boundTo, device] = [await readBinding(), await readDevice()]
  if (boundTo === null) return tooLate()
  // Counted with the challenges: what answers none of them is not throttled otherwise.
  const refusal = await countChallenge(device.peer)
  if (refusal) return refusal
  const entered = await enterBrowser('passkey', (carried) => signInWithPasskey({ passkey, boundTo, email }, device, carried))
  return entered.ok ? null : entered.problem
}

async function findHalfSignedIn(): Promise<Awaiting | null> {
  const awaiting = await findAwaiting()
  return awaiting?.awaits === 'secondFactor' ? awaiting : null
}

/**
 * What ties a challenge to this browser: a secret that only it has. An ended session's or the device's, if there is one, because after
 * an action that sets a cookie Next renders the page again.
 */
async function readBinding(): Promise<string | null> {
  const given = (await cookies()).get(describeCookie('passkey').name)?.value
  const secret = (await readSid()) ?? (await readDeviceToken()) ?? (isToken(given) ? given : null)
  return secret === null ? null : bindingOf(secret)
}

async function createBinding(): Promise<string> {
  const value = createToken()
  const { name, options } = describeCookie('passkey')
  const store = await cookies()
  store.set({ name, value, maxAge: bindingSeconds, ...options })
  return bindingOf(value)
}

const bindingOf = (secret: string): string => hashToken(`passkey challenge for ${secret}`)

const tooLate = (): Problem => problem('invalid', { sentence: 'It took too long. Try again.' })
