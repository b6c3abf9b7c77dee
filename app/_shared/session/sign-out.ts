'use client'

import { toast } from '../../_ui/toast'
import { callAction } from '../forms/call-action'

/** Ends the session; if that fails, the page stays and says so. `signOut` ends with a redirect. */
export async function signOutWith(signOut: () => Promise<unknown>): Promise<void> {
  const leave = async () => {
    await signOut()
    return { ok: true, data: null } as const
  }
  // Next follows a redirect before it rejects with it.
  const answer = await callAction(leave, {}, { repeatable: true }).catch(() => null)
  if (answer?.ok === false) toast.error(answer.problem.sentence)
}
