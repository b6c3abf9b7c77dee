'use server'

import { redirect } from 'next/navigation'
import { answeringAction, publicAction } from '@/lib/portal/base/request/public-action'
import { readReturnPath, signInAddress } from '@/lib/portal/base/request/return-path'
import { signInBrowserWithPasskey } from '@/lib/portal/identity/passkeys/browser'
import { finishSetUpBrowser, startSetUpBrowser } from '@/lib/portal/identity/second-factor/set-up-browser'
import { abandonSignIn, finishSignInBrowser, signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { startSingleSignOn } from '@/lib/portal/identity/single-sign-on/start'

/** Returns the seed, once. */
export const startFirstAuthenticator = answeringAction(() => startSetUpBrowser())

/** Field: code. Signs in and returns the recovery codes, once. */
export const confirmFirstAuthenticator = answeringAction((field) => finishSetUpBrowser(field('code')))

/** Fields: email, password; back: the page to return to. With a second factor, this page then asks for it. */
export const signIn = publicAction(['email'], async (field) => {
  const signedIn = await signInBrowser({ email: field('email'), password: field('password') })
  if (!signedIn.ok) return signedIn.problem
  const back = readReturnPath(field('back'))
  return redirect(signedIn.data.awaits === null ? back : signInAddress(back))
})

/** Fields: code, of the authenticator app or a recovery code; back: the page to return to. */
export const enterCode = publicAction([], async (field) => {
  const refusal = await finishSignInBrowser(field('code'))
  return refusal ?? redirect(readReturnPath(field('back')))
})

/** Fields: passkey; back. Instead of the password, or after it. */
export const enterPasskey = publicAction([], async (field) => {
  const refusal = await signInBrowserWithPasskey(field('passkey'))
  return refusal ?? redirect(readReturnPath(field('back')))
})

/** Field: back. Forgets the password that was entered, so that somebody else can sign in. */
export const startOver = publicAction([], async (field) => {
  await abandonSignIn()
  return redirect(signInAddress(readReturnPath(field('back'))))
})

/** Fields: back; prove: `yes` makes the identity provider ask for the password again. Leads there. */
export const signInBySingleSignOn = publicAction([], async (field) => {
  const started = await startSingleSignOn(readReturnPath(field('back')), { reauthenticate: field('prove') === 'yes' })
  return started.ok ? redirect(started.data.location) : started.problem
})
