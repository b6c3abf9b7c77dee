'use client'

import { Button } from '../../_ui/button'
import { callAction } from '../forms/call-action'
import { signInAfresh } from './actions'

/** For somebody who can confirm an action with nothing but a new sign-in: leads there, and back to this page. */
export function SignInAfresh() {
  const leave = () => callAction(signInAfresh, { back: location.pathname + location.search + location.hash }, { repeatable: true })
  return (
    <div className="flex flex-col items-start gap-2">
      <p>Sign in again to continue. This page comes back afterwards, but not what you entered.</p>
      <Button onClick={() => void leave()}>Sign in again</Button>
    </div>
  )
}
