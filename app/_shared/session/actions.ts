'use server'

import { redirect } from 'next/navigation'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { readReturnPath, signInAddress } from '@/lib/portal/base/request/return-path'
import { clearSid, readSid } from '@/lib/portal/identity/cookie'
import { signInAgainBrowserWithPasskey } from '@/lib/portal/identity/passkeys/browser'
import { signInAgainBrowser } from '@/lib/portal/identity/sign-in-browser'
import { signOutSession } from '@/lib/portal/identity/sign-out'
import { startOwnProvider } from '@/lib/portal/identity/single-sign-on/own-provider'

/**
 * Fields: email, password, and code once a refusal at that field has asked for it. The page stays, so that the interrupted action can be
 * sent.
 */
export const signInAgain = publicAction([], (field) =>
  signInAgainBrowser({ email: field('email'), password: field('password') }, field('code')),
)

/** Fields: passkey, email. The same with a passkey, of the account with this address. */
export const signInAgainWithPasskey = publicAction([], (field) => signInAgainBrowserWithPasskey(field('passkey'), field('email')))

/**
 * Field: back, the page to return to. Leads to the identity provider of whoever signs in there, which asks for the password again. Otherwise
 * signs out, so that the sign-in page opens.
 */
export const signInAfresh = publicAction([], async (field) => {
  const started = await startOwnProvider(readReturnPath(field('back')))
  if (started) return redirect(started.location)
  const sid = await readSid()
  if (sid !== null) await signOutSession(sid)
  await clearSid()
  return redirect(signInAddress(readReturnPath(field('back'))))
})
