'use server'

import { redirect } from 'next/navigation'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { clearSid, readSid } from '@/lib/portal/identity/cookie'
import { signOutSession } from '@/lib/portal/identity/sign-out'

/** For `<form action={signOut}>`. */
export async function signOut(): Promise<void> {
  if (await requireSameOrigin()) return
  const sid = await readSid()
  if (sid !== null) await signOutSession(sid)
  await clearSid()
  redirect('/sign-in')
}
