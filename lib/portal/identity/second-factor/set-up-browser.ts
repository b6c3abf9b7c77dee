/** Sets up the second factor that a browser's sign-in awaits. Only in actions, because it sets cookies. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { findAwaiting } from '../actor'
import { keepFinished } from '../sign-in-browser'
import { finishSetUp, startSetUp } from './set-up'
import type { TotpToAdd } from './totp'

export const startSetUpBrowser = async (): Promise<Outcome<TotpToAdd>> => startSetUp(await findAwaiting())

/** Signs in. Returns the recovery codes, shown once. */
export async function finishSetUpBrowser(code: string): Promise<Outcome<{ codes: string[] }>> {
  const finished = await finishSetUp(await findAwaiting(), code)
  if (!finished.ok) return finished
  const refusal = await keepFinished(finished)
  return refusal ? { ok: false, problem: refusal } : { ok: true, data: { codes: finished.data.codes } }
}
