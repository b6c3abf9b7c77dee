'use client'

import { lazyComponent } from '../../_ui/lazy'
import { useSignInRequested } from './sign-in-request'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog').then((file) => file.SignInDialog))

/** On every page of the portal: asks to sign in again in a dialog when the session ends while a form is open. */
export function SignInAgain(props: { email: string; passkeys: boolean }) {
  return useSignInRequested() ? <SignInDialog {...props} /> : null
}
