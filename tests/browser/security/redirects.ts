/** Redirects after signing in or out: only to the portal itself, whatever a link or a header says. */
import { expect, test } from 'vitest'
import { callAction, Form } from './action-call'
import { cookieOf, type Estate, person } from './estate'

const elsewhere = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/servers',
  'javascript:alert(1)',
  'data:text/html,evil',
  '/%09/evil.example',
  '/\t/evil.example',
  'http://localhost:1/evil',
  'http://localhost@evil.example',
  '/servers\r\nLocation: https://evil.example',
  '/servers\r\nSet-Cookie: evil=1',
  '%0d%0aSet-Cookie:%20evil=1',
]

const hosts = [
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
]

export function redirects(estate: Estate): void {
  const { caller } = estate

  const expectHere = (what: unknown, place: string | undefined) => {
    const { origin, pathname } = new URL(place ?? '', caller.origin)
    expect([what, origin, pathname]).toEqual([what, caller.origin, expect.stringMatching(/^\/(servers|sign-in)?$/)])
  }

  test('security 20: whatever callback URL a link has, signing in leads to the portal', async () => {
    for (const callbackUrl of elsewhere) {
      const query = `?callbackUrl=${encodeURIComponent(callbackUrl)}&back=${encodeURIComponent(callbackUrl)}`
      const fields = new Form({ email: person.email, password: person.password, callbackUrl, back: callbackUrl })
      const answer = await callAction(caller, { ...estate.action('signIn'), page: `/sign-in${query}` }, [null, fields])
      expectHere(callbackUrl, answer.leadsTo?.split(';')[0])
      expect([callbackUrl, cookieOf(answer)]).toEqual([callbackUrl, expect.not.stringContaining('evil')])
    }
  })

  test('security 20: whatever host a request names, no redirect leads to it', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    for (const headers of hosts) {
      const how = JSON.stringify(headers)
      for (const [path, sent] of [
        ['/servers', {}],
        ['/', { cookie }],
        ['/servers/', { cookie }],
        ['/api/auth/signin', {}],
        ['/api/auth/error?error=x', {}],
      ] as const) {
        const { headers: given } = await caller.call(path, { ...sent, headers })
        if (given.location !== undefined) expect([how, path, given.location]).not.toEqual([how, path, expect.stringContaining('evil')])
      }
    }
  })

  test('security 20: whatever address is opened while signed out, the sign-in page is ours and leads back to it', async () => {
    for (const asked of [
      '/servers?back=//evil.example',
      '/servers/%2F%2Fevil.example',
      '/jobs/..%2f..%2fevil',
      '/servers/.%2e//evil.example',
    ]) {
      const { status, headers } = await caller.call(asked, { headers: { 'gatehouse-asked-page': '//evil.example' } })
      if (status !== 307) continue
      const sent = new URL(headers.location ?? '', caller.origin)
      const back = new URL(sent.searchParams.get('back') ?? '/', caller.origin)
      expect([asked, sent.origin, sent.pathname, back.origin]).toEqual([asked, caller.origin, '/sign-in', caller.origin])
    }
  })

  test('security 29: CR and LF in an address split no response header', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const breaks = ['%0d%0aX-Planted:%201', '%0aX-Planted:%201', '%E5%98%8A%E5%98%8DX-Planted:%201', '%u000aX-Planted:%201']
    for (const route of estate.routes) {
      for (const text of breaks) {
        const fill = estate.pathOf(route, { serverId: text, jobId: text, id: text, '...nextauth': `signin/${text}` })
        for (const path of [fill, `${estate.pathOf(route)}?callbackUrl=${text}&error=${text}&after=${text}&server=${text}`]) {
          const { headers } = await caller.call(path, { cookie })
          expect([path, headers['x-planted']]).toEqual([path, undefined])
        }
      }
    }
  })
}
