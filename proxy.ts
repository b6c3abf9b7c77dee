/**
 * Gives every page its Content-Security-Policy with a fresh nonce, and tells it its own address, for the way back after
 * signing in. It authorises nothing: all of that works without it.
 * What lies under /api is no page and passes it by: the policy of those answers, which allows nothing at all, stands in
 * lib/portal/entry/front/answer-headers.ts.
 */
import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { askedPageHeader } from '@/lib/portal/base/request/return-path'

export function proxy(request: NextRequest): NextResponse {
  const policy = renderPolicy(randomBytes(16).toString('base64'))
  // Next takes the nonce it stamps its scripts with from the request's own header: whatever a client sent there goes.
  const headers = new Headers(request.headers)
  headers.delete('content-security-policy-report-only')
  headers.set('content-security-policy', policy)
  headers.set(askedPageHeader, request.nextUrl.pathname + request.nextUrl.search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** style-src without a nonce: menus and toasts bring their own style elements, and a nonce would switch unsafe-inline off. */
function renderPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const config = { matcher: ['/((?!api/|_next/static/|favicon.ico|icon.svg).*)'] }
