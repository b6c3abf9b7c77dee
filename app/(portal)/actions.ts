'use server'

import { redirect } from 'next/navigation'
import { clearSid, readSid } from '@/lib/portal/identity/cookie'
import { signOutSession } from '@/lib/portal/identity/sign-out'
import { requireSameOrigin } from '@/lib/portal/request/same-origin'

/** For `<form action={signOut}>`. */
export async function signOut(): Promise<void> {
  if (await requireSameOrigin()) return
  const sid = await readSid()
  if (sid !== null) await signOutSession(sid)
  await clearSid()
  redirect('/sign-in')
}
