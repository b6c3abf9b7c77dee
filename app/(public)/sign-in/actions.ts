'use server'

import { redirect } from 'next/navigation'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { readReturnPath } from '@/lib/portal/base/request/return-path'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'

/** Fields: email, password; back: the page to return to. */
export const signIn = publicAction(['email'], async (field) => {
  const refusal = await signInBrowser({ email: field('email'), password: field('password') })
  return refusal ?? redirect(readReturnPath(field('back')))
})
