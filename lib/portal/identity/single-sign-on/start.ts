/** Begins a sign-in at the identity provider. */
import 'server-only'
import { cookies } from 'next/headers'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { readDevice } from '@/lib/portal/base/request/device'
import { getSettings } from '@/lib/settings/settings'
import { authOptions } from '../next-auth'
import { runStart } from '../run-next-auth'
import { countChallenge } from '../throttle'
import { providerId, singleSignOnProvider } from './provider'

/**
 * The provider's address to redirect the browser to. `back`: the page to return to. `reauthenticate`: the provider is to ask for the
 * password again, even from somebody who is signed in there. Only in actions, because it sets cookies.
 */
export async function startSingleSignOn(back: string, { reauthenticate = false } = {}): Promise<Outcome<{ location: string }>> {
  if (getSettings().singleSignOn === null)
    return { ok: false, problem: problem('not_found', { sentence: 'Single sign-on is not set up.' }) }
  const refusal = await countChallenge((await readDevice()).peer)
  if (refusal) return { ok: false, problem: refusal }
  const started = await attempt(back, reauthenticate)
  if (started === null) {
    return { ok: false, problem: problem('upstream_unreachable', { sentence: 'The identity provider didn’t respond. Try again.' }) }
  }
  const store = await cookies()
  for (const cookie of started.cookies) store.set(cookie)
  return { ok: true, data: { location: started.location } }
}

async function attempt(back: string, reauthenticate: boolean) {
  try {
    const provider = singleSignOnProvider({ reauthenticate })
    return provider && (await runStart(providerId, back, authOptions([provider])))
  } catch (error) {
    log.error({ err: error }, 'single sign-on could not begin')
    return null
  }
}
