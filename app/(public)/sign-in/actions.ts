'use server'

import { redirect } from 'next/navigation'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { publicAction } from '@/lib/portal/request/public-action'
import { readReturnPath } from '@/lib/portal/request/return-path'

/** Fields: email, password; back: the page to return to. */
export const signIn = publicAction(['email'], async (field) => {
  const refusal = await signInBrowser({ email: field('email'), password: field('password') })
  return refusal ?? redirect(readReturnPath(field('back')))
})
