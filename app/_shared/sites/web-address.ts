import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toAsciiDomain } from '@/lib/text/idn'

/**
 * The address of a site, or of its staging copy, in a browser. Null for a name that could lead anywhere else, and for a site that is simulated:
 * its domain is somebody else's on the internet.
 */
export function webAddressOf({ domain, ssl, sandbox }: Pick<SiteRow, 'domain' | 'ssl' | 'sandbox'>): string | null {
  if (sandbox) return null
  const ascii = toAsciiDomain(domain)
  if (ascii === null || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii)) return null
  const url = `${ssl === 'on' ? 'https' : 'http'}://${ascii}/`
  return URL.canParse(url) && new URL(url).hostname === ascii ? url : null
}
