'use server'

import { redirect } from 'next/navigation'
import { readDevice } from '@/lib/portal/base/request/device'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { writeSid } from '@/lib/portal/identity/cookie'
import { rememberThisDevice } from '@/lib/portal/identity/known-device'
import { recoverAccount } from '@/lib/portal/identity/recovery'
import { mayResetStill } from '@/lib/portal/subjects/team/reset-link'

/** Fields: token (hidden, from the link), password. An account with a second factor is then asked for it, as after every password. */
export const recover = publicAction([], async (field) => {
  const done = await recoverAccount(field('token'), field('password'), await readDevice(), mayResetStill)
  if (!done.ok) return done.problem
  const { sid } = done.data
  if (sid === null) return redirect('/sign-in?sso=required')
  await writeSid(sid)
  await rememberThisDevice(sid)
  return redirect((await findActorBySid(sid)) ? '/' : '/sign-in')
})
