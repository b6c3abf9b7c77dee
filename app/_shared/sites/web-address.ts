import { toAsciiDomain } from '@/lib/text/idn'

/** The address of a site in a browser; null for a name that could lead anywhere else. */
export function webAddressOf(domain: string, secure: boolean): string | null {
  const ascii = toAsciiDomain(domain)
  if (ascii === null || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii)) return null
  const url = `${secure ? 'https' : 'http'}://${ascii}/`
  return URL.canParse(url) && new URL(url).hostname === ascii ? url : null
}
