/** The headers that every answer has. */
import { expect, test } from 'vitest'
import type { Estate } from './estate'

export function edge(estate: Estate): void {
  test.each([
    { what: 'a page', path: '/servers', status: 200, signedIn: true },
    { what: 'a page for signed-out users', path: '/sign-in', status: 200, signedIn: false },
    { what: 'a read', path: '/api/servers', status: 200, signedIn: true },
    { what: 'a refused read', path: '/api/servers', status: 401, signedIn: false },
    { what: 'a stream', path: '/api/jobs/[jobId]/events', status: 200, signedIn: true },
    { what: 'what is not there', path: '/nowhere', status: 404, signedIn: true },
  ])('$what cannot be framed, sniffed, cached or scripted by others', async ({ path, status, signedIn }) => {
    const answer = await estate.caller.call(estate.pathOf(path), { cookie: signedIn ? estate.owner.cookie : undefined })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'cache-control': expect.stringMatching(/no-store|no-cache/),
    })
    const policy = String(answer.headers['content-security-policy'])
    if (path.startsWith('/api/')) expect(policy).toBe("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    else {
      expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{24}' 'strict-dynamic'(;|$)/)
      for (const rule of ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule)
    }
    expect(answer.headers).not.toHaveProperty('x-powered-by')
    // With plain http on this machine, a Strict-Transport-Security header would lock users out.
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  })
}
