/**
 * Gives every page its Content-Security-Policy with a fresh nonce, and passes on the page's address, to return to it after signing in.
 * It is not a security boundary: everything works without it. Paths under /api are not pages and bypass it; their policy, which allows
 * nothing, is in lib/portal/entry/front/answer-headers.ts.
 */
import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { askedPageHeader } from '@/lib/portal/base/request/return-path'
import { getSettings } from '@/lib/settings/settings'

export function proxy(request: NextRequest): NextResponse {
  const policy = renderPolicy(randomBytes(16).toString('base64'))
  // Next reads the nonce for its scripts from this request header, so a value sent by the client must be replaced.
  const headers = new Headers(request.headers)
  headers.delete('content-security-policy-report-only')
  headers.set('content-security-policy', policy)
  headers.set(askedPageHeader, request.nextUrl.pathname + request.nextUrl.search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** In development Next's scripts apply changes with eval. Production builds need none. */
const whileDeveloping = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''

/** The origin of the identity provider, if there is one. */
function providers(): string[] {
  const { singleSignOn } = getSettings()
  return singleSignOn === null ? [] : [new URL(singleSignOn.issuer).origin]
}

/** style-src has no nonce: menus and toasts insert their own style elements, and a nonce would disable unsafe-inline. */
function renderPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${whileDeveloping}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Browsers apply this to the redirects of a form too: without scripts, signing in leads to the identity provider.
    ["form-action 'self'", ...providers()].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
}

export const config = { matcher: ['/((?!api/|_next/static/|favicon.ico|icon.svg).*)'] }
