'use client'

import { lazyComponent } from '../../_ui/lazy'
import { useSignInRequested } from './sign-in-request'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog').then((file) => file.SignInDialog))

/** Stands on every page of the portal: over it the password is asked for when the session ends under a form. */
export function SignInAgain({ email }: { email: string }) {
  return useSignInRequested() ? <SignInDialog email={email} /> : null
}
