/** Where people are sent after signing in or out: nowhere but here, whatever a link or a header says. */
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

const form = 'application/x-www-form-urlencoded'

export function redirects(estate: Estate): void {
  const { caller } = estate

  /** Signs in or out by next-auth's own door, as its pages do: with its token and cookie. */
  async function knock(door: string, callbackUrl: string, headers: Record<string, string>, session = '') {
    const asked = await caller.call('/api/auth/csrf')
    const { csrfToken } = JSON.parse(asked.text) as { csrfToken: string }
    const fields = { csrfToken, callbackUrl, email: person.email, password: person.password, json: 'true' }
    return caller.call(`/api/auth/${door}?callbackUrl=${encodeURIComponent(callbackUrl)}`, {
      method: 'POST',
      cookie: [cookieOf(asked), session].filter(Boolean).join('; '),
      body: new URLSearchParams(fields).toString(),
      headers: { origin: caller.origin, 'content-type': form, ...headers },
    })
  }

  const expectHere = (what: unknown, place: string | undefined) => {
    const { origin, pathname } = new URL(place ?? '', caller.origin)
    expect([what, origin, pathname]).toEqual([what, caller.origin, expect.stringMatching(/^\/(servers|sign-in)?$/)])
  }

  test('security 20: whatever callback a link names, signing in and out leads to the portal itself', async () => {
    for (const callbackUrl of elsewhere) {
      for (const door of ['callback/credentials', 'signout']) {
        const answer = await knock(door, callbackUrl, {})
        // What is no address at all is refused.
        if (answer.status === 200) expectHere([callbackUrl, door], (JSON.parse(answer.text) as { url: string }).url)
        else expect([callbackUrl, door, answer.status >= 400, answer.headers.location]).toEqual([callbackUrl, door, true, undefined])
        expect([callbackUrl, cookieOf(answer)]).toEqual([callbackUrl, expect.not.stringContaining('evil')])
      }
      const query = `?callbackUrl=${encodeURIComponent(callbackUrl)}`
      const asked = await caller.call(`/api/auth/signin${query}`)
      if (asked.status < 400) expectHere(['signin', callbackUrl], asked.headers.location)
      const fields = new Form({ email: person.email, password: person.password, callbackUrl })
      const byPage = await callAction(caller, { ...estate.action('signIn'), page: `/sign-in${query}` }, [null, fields])
      expectHere(['page', callbackUrl], byPage.leadsTo?.split(';')[0])
    }
  })

  test('security 20: whatever host a request names, no redirect leaves for it', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    for (const headers of hosts) {
      const how = JSON.stringify(headers)
      const signedIn = await knock('callback/credentials', '/servers', headers)
      if (signedIn.status === 200) expectHere(how, (JSON.parse(signedIn.text) as { url: string }).url)
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

  test('security 29: CR and LF in an address split no head of an answer', async () => {
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
