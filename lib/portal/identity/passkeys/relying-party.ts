/** Which site passkeys belong to: the portal's public address, never what a request says. */
import 'server-only'
import { isIP } from 'node:net'
import { type Problem, problem } from '@/lib/contract/problem'
import { getSettings, type Settings } from '@/lib/settings/settings'

/** id: the host name that passkeys are tied to. origin: the only page address that may use them. */
export const relyingParty = () => {
  const { hostname: id, origin } = getSettings().publicUrl
  return { id, origin }
}

/** Why browsers offer no passkeys at this address, as a sentence; null if they do. */
export function whyNoPasskeys({ publicUrl }: Pick<Settings, 'publicUrl'> = getSettings()): string | null {
  const { hostname, protocol } = publicUrl
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return null
  if (protocol !== 'https:') return 'Passkeys need https, and the address of this portal is plain http.'
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress ? 'Passkeys need a host name, and the address of this portal is an IP address.' : null
}

/** The same as a problem. */
export function refuseWithoutPasskeys(): Problem | null {
  const why = whyNoPasskeys()
  return why === null ? null : problem('forbidden', { sentence: why })
}
