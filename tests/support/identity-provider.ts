/** An identity provider on localhost, which signs in whoever the test names. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Claims, type Context } from 'oidc-provider'

export type IdentityProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in next: the claims of their account; null if they cancel. */
  person: Claims | null
  /** Requests so far. */
  calls: number
  stop(): Promise<void>
}

/** inIdToken: false if only the userinfo endpoint gives the address. */
type Options = { redirectUri: string; inIdToken?: boolean }

export async function startIdentityProvider({ redirectUri, inIdToken = true }: Options): Promise<IdentityProvider> {
  const known = new Map<string, Claims>()
  const handler: { answer: (request: IncomingMessage, response: ServerResponse) => void } = { answer: () => {} }
  const server = createServer((request, response) => handler.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['gatehouse', randomBytes(24).toString('base64url')]
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !inIdToken,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['only for tests'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: async () => known.get(accountId) ?? { sub: accountId } }),
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const started: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    person: null,
    calls: 0,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const answer = provider.callback()
  handler.answer = (request, response) => {
    started.calls += 1
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { person } = started
    if (person) known.set(person.sub, person)
    const result = person ? { login: { accountId: person.sub, remember: false } } : { error: 'access_denied' }
    provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end())
  }
  return started
}
