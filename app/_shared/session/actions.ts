'use server'

import { publicAction } from '@/lib/portal/base/request/public-action'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'

/** Fields: email, password. The page stays, so that the interrupted action can be sent. */
export const signInAgain = publicAction([], (field) => signInBrowser({ email: field('email'), password: field('password') }))
