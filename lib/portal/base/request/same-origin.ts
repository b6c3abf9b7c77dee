/** Whether a page of this portal sent a state-changing request. */
import 'server-only'
import { headers } from 'next/headers'
import { type Problem, problem } from '@/lib/contract/problem'
import { getSettings } from '@/lib/settings/settings'
import { isOwnOrigin } from './own-origin'

/** The first check of actions and POST handlers: Problem `cross_origin` unless the request came from this portal. */
export async function requireSameOrigin(): Promise<Problem | null> {
  return findForeignOrigin(await headers(), getSettings().publicUrl)
}

/**
 * Compares only with the configured public address, because clients choose Host and X-Forwarded-Host freely. Also refuses a missing
 * Origin, since every browser sends one with a POST. Over http browsers send no Sec-Fetch-Site, so only a wrong value is refused.
 */
export function findForeignOrigin(sent: Pick<Headers, 'get'>, publicUrl: URL): Problem | null {
  const site = sent.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return problem('cross_origin')
  return isOwnOrigin(sent.get('origin'), publicUrl) ? null : problem('cross_origin')
}
