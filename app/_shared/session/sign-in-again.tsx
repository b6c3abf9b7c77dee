'use client'

import { lazyComponent } from '../../_ui/lazy'
import { useSignInAsked } from './sign-in-asked'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog').then((file) => file.SignInDialog))

/** Stands on every page of the portal: over it the password is asked for when the session ends under a form. */
export function SignInAgain({ email }: { email: string }) {
  return useSignInAsked() ? <SignInDialog email={email} /> : null
}
