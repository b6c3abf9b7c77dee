/** Signs in at an identity provider as a browser would: follows redirects by hand and calls the portal's handlers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NextRequest } from 'next/server'
import { GET } from '@/app/api/auth/[...nextauth]/route'
import { findActorBySid, type Person } from '@/lib/portal/identity/actor'
import { describeCookie, openSid } from '@/lib/portal/identity/cookie'
import { startSingleSignOn } from '@/lib/portal/identity/single-sign-on/start'
import { getSettings } from '@/lib/settings/settings'
import { type IdentityProvider, startIdentityProvider } from '@/tests/support/identity-provider'

type Cookie = { name: string; value: string; maxAge?: number }

/** The cookies of one browser, for the portal. */
export class Jar {
  readonly #cookies = new Map<string, Cookie>()
  get = (name: string) => this.#cookies.get(name)
  getAll = () => [...this.#cookies.values()]
  clear = () => this.#cookies.clear()
  set = (cookie: Cookie): void => {
    if (cookie.maxAge === 0 || cookie.value === '') this.#cookies.delete(cookie.name)
    else this.#cookies.set(cookie.name, cookie)
  }
}

const callbackPath = 'callback/oidc'

/** Starts a provider and configures the portal for it. Stop it with `await using`. */
export async function configureProvider(
  options: { inIdToken?: boolean; roleClaim?: string } = {},
): Promise<IdentityProvider & AsyncDisposable> {
  const settings = getSettings()
  const redirectUri = `${settings.publicUrl.origin}/api/auth/${callbackPath}`
  const provider = await startIdentityProvider({ redirectUri, inIdToken: options.inIdToken ?? true })
  const clientSecretFile = join(settings.dataDir, 'client-secret')
  writeFileSync(clientSecretFile, `${provider.clientSecret}\n`, { mode: 0o400 })
  const { issuer, clientId } = provider
  Object.assign(settings, {
    singleSignOn: { issuer, clientId, clientSecretFile, name: 'Example ID', roleClaim: options.roleClaim ?? null },
  })
  return Object.assign(provider, {
    async [Symbol.asyncDispose]() {
      Object.assign(settings, { singleSignOn: null })
      await provider.stop()
    },
  })
}

/** Where the provider sends the browser after the person has signed in there. */
export async function visitProvider(back = '/', options: { reauthenticate?: boolean } = {}): Promise<URL> {
  const started = await startSingleSignOn(back, options)
  if (!started.ok) throw new Error(started.problem.sentence)
  const cookies = new Map<string, string>()
  let at = started.data.location
  for (let hops = 0; hops < 8; hops += 1) {
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const next = new URL(answer.headers.get('location') ?? '', at)
    if (next.origin === getSettings().publicUrl.origin) return next
    at = next.href
  }
  throw new Error('The provider never sent the browser back.')
}

/** Calls the portal's route; the path and query that it redirects to. */
export async function comeBack(to: URL): Promise<string> {
  const answer = await GET(new NextRequest(to), { params: Promise.resolve({ nextauth: callbackPath.split('/') }) })
  const { pathname, search } = new URL(answer.headers.get('location') ?? 'about:blank')
  return pathname + search
}

export const signInAtProvider = async (...how: Parameters<typeof visitProvider>): Promise<string> => comeBack(await visitProvider(...how))

/** Who is signed in with the jar's cookie. */
export async function whoIs(jar: Jar): Promise<Person | null> {
  const sid = await openSid(jar.get(describeCookie('session').name)?.value ?? '')
  return sid === null ? null : findActorBySid(sid)
}
