'use server'

import { redirect } from 'next/navigation'
import { readDevice } from '@/lib/portal/base/request/device'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { setUpOwner } from '@/lib/portal/entry/set-up'
import { writeSid } from '@/lib/portal/identity/cookie'
import { rememberThisDevice } from '@/lib/portal/identity/known-device'

/** Fields: token (hidden, from the link), teamName, name, email, password; apiKey if the portal has an UPSTREAM_URL. */
export const setUp = publicAction(['teamName', 'name', 'email'], async (field) => {
  const owner = {
    teamName: field('teamName'),
    name: field('name'),
    email: field('email'),
    password: field('password'),
    apiKey: field('apiKey'),
  }
  const done = await setUpOwner(field('token'), owner, await readDevice())
  if (!done.ok) return done.problem
  await writeSid(done.data.sid)
  await rememberThisDevice(done.data.sid)
  return redirect('/')
})
