'use server'

import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { publicAction } from '@/lib/portal/request/public-action'

/** Fields: email, password. The page stays, so that what was begun on it is sent. */
export const signInAgain = publicAction([], (field) => signInBrowser({ email: field('email'), password: field('password') }))
