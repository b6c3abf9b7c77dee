'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { publicQuestion } from '@/lib/portal/base/request/public-action'
import { askPasskeyOfBrowser } from '@/lib/portal/identity/passkeys/browser'
import { askPasskey } from '@/lib/portal/identity/passkeys/options'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** What the browser needs to sign in with a passkey; after the password, with one of that user. */
export const startPasskeySignIn = publicQuestion(askPasskeyOfBrowser)

/** What the browser needs to confirm an action with a passkey. */
export const askToConfirm = ownAction('session.stepUp', async ({ actor }) => {
  const { peer } = await readDevice()
  return askPasskey({ purpose: 'stepUp', boundTo: actor.sessionId }, peer, actor.user.id)
})
