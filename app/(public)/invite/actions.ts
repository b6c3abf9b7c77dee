'use server'

import { redirect } from 'next/navigation'
import { problem } from '@/lib/contract/problem'
import { readDevice } from '@/lib/portal/base/request/device'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { findActor } from '@/lib/portal/identity/actor'
import { clearSid, readSid, writeSid } from '@/lib/portal/identity/cookie'
import { readDeviceToken } from '@/lib/portal/identity/known-device'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { signOutSession } from '@/lib/portal/identity/sign-out'
import { acceptInvitation, joinSignedIn } from '@/lib/portal/subjects/team/accept'

/** Fields: token (hidden, from the link), name (for a new account), password. Signs in the same way as the sign-in page. */
export const accept = publicAction(['name'], async (field) => {
  const given = { name: field('name'), password: field('password') }
  const done = await acceptInvitation(field('token'), given, await readDevice(), await readDeviceToken())
  if (!done.ok) return done.problem
  // The membership exists, whatever the sign-in still asks for: the sign-in page shows that.
  const signedIn = await signInBrowser({ email: done.data.email, password: given.password })
  if (!signedIn.ok && signedIn.problem.code === 'forbidden') return redirect('/sign-in?sso=required')
  return redirect(signedIn.ok && signedIn.data.awaits === null ? '/' : '/sign-in')
})

/** Field: token. For somebody who is signed in with the invited address. */
export const join = publicAction([], async (field) => {
  const actor = await findActor()
  if (!actor) return problem('signed_out')
  const done = await joinSignedIn(field('token'), actor, await readDevice())
  if (!done.ok) return done.problem
  await writeSid(done.data.sid)
  return redirect('/')
})

/** Field: token. Signs out and shows the invitation again, for whoever is signed in with another address. */
export const leave = publicAction([], async (field) => {
  const sid = await readSid()
  if (sid !== null) await signOutSession(sid)
  await clearSid()
  return redirect(`/invite?${new URLSearchParams({ token: field('token') })}`)
})
