'use client'

import { lazyComponent } from '../../_ui/lazy'
import { useSignInRequested } from './sign-in-request'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog').then((file) => file.SignInDialog))

/** On every page of the portal: asks for the password in a dialog when the session ends while a form is open. */
export function SignInAgain({ email }: { email: string }) {
  return useSignInRequested() ? <SignInDialog email={email} /> : null
}
