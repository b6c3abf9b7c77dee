/** The identity provider, as next-auth's provider. */
import 'server-only'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { getSettings } from '@/lib/settings/settings'
import { readClientSecret } from './secret'

/** The part of its address under /api/auth/callback/. */
export const providerId = 'oidc'

const timeoutMs = 10_000

type Profile = Record<string, unknown> & { sub: string }

/** What the provider is called on pages; null without single sign-on. */
export const findProviderName = (): string | null => getSettings().singleSignOn?.name ?? null

/**
 * Null without single sign-on. Throws ClientSecretError. next-auth's own HTTP client talks to the provider: the one exception to the egress
 * client, for the addresses that the operator's issuer publishes. `reauthenticate`: nobody gets through silently.
 */
export function singleSignOnProvider({ reauthenticate = false } = {}): OAuthConfig<Profile> | null {
  const { singleSignOn } = getSettings()
  if (singleSignOn === null) return null
  const { issuer, clientId, clientSecretFile, name } = singleSignOn
  const provider: OAuthConfig<Profile> = {
    id: providerId,
    name,
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret: readClientSecret(clientSecretFile),
    idToken: true,
    checks: ['state', 'nonce', 'pkce'],
    authorization: { params: { scope: 'openid email profile', ...(reauthenticate && { prompt: 'login', max_age: 0 }) } },
    httpOptions: { timeout: timeoutMs },
    userinfo: {
      // Some providers give the address only here. Both parts of it come from one answer; openid-client compares the subjects.
      request: async ({ client, tokens }) => {
        if (tokens.id_token === undefined || tokens.access_token === undefined) throw new Error('no token')
        const given = claimsOf(tokens.id_token)
        if ('email_verified' in given || !client.issuer.metadata.userinfo_endpoint) return given
        const asked = await client.userinfo(tokens.access_token)
        if (asked.sub !== given.sub) throw new Error('another subject')
        const { email: _, ...others } = given
        return { ...others, ...asked, iss: given.iss, sub: given.sub, auth_time: given.auth_time }
      },
    },
    profile: ({ sub }) => ({ id: sub }),
  }
  return provider
}

/** The content of an id token that openid-client has just verified. */
function claimsOf(idToken: string): Profile {
  const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'))
  if (typeof claims !== 'object' || claims === null || !('sub' in claims) || typeof claims.sub !== 'string') throw new Error('no subject')
  return { ...claims, sub: claims.sub }
}
