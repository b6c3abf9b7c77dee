'use server'

import { redirect } from 'next/navigation'
import { readSid, writeSid } from '@/lib/portal/identity/cookie'
import { readDeviceToken, rememberThisDevice } from '@/lib/portal/identity/known-device'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { readDevice } from '@/lib/portal/request/device'
import { publicAction } from '@/lib/portal/request/public-action'
import { readReturnPath } from '@/lib/portal/request/return-path'

/** Fields: email, password; back: the page to return to. */
export const signIn = publicAction(['email'], async (field) => {
  const credentials = { email: field('email'), password: field('password') }
  const carried = { sid: await readSid(), deviceToken: await readDeviceToken() }
  const signedIn = await signInWithPassword(credentials, await readDevice(), carried)
  if (!signedIn.ok) return signedIn.problem
  await writeSid(signedIn.data.sid)
  await rememberThisDevice(signedIn.data.sid)
  return redirect(readReturnPath(field('back')))
})
