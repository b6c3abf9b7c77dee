/** The headers of every response of the portal. Pages get their Content-Security-Policy from proxy.ts, with a nonce. */
import 'server-only'
import type { ServerResponse } from 'node:http'

const always = {
  'X-Content-Type-Options': 'nosniff',
  // Not no-referrer: Chromium would then send forms without JavaScript with `Origin: null`, which is refused.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** For data responses, which are never a page themselves. */
const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const oneYearSeconds = 31_536_000

/** `secure`: users connect over https, so browsers are told to refuse http; on a portal without https that would lock them out. */
export function setAnswerHeaders(response: ServerResponse, path: string, { secure }: { secure: boolean }): void {
  for (const [name, value] of Object.entries(always)) response.setHeader(name, value)
  if (secure) response.setHeader('Strict-Transport-Security', `max-age=${oneYearSeconds}`)
  if (path.startsWith('/api/')) response.setHeader('Content-Security-Policy', dataPolicy)
}
