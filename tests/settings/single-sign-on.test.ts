import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'

const parse = (env: Record<string, string>) => parseSettings(env, '/srv').singleSignOn

const full = { OIDC_ISSUER: 'https://id.example.org/realm', OIDC_CLIENT_ID: 'gatehouse', OIDC_CLIENT_SECRET_FILE: 'keys/oidc' }

test('the issuer is kept without a final slash', () => {
  expect(parse({ ...full, OIDC_ISSUER: 'https://id.example.org/realm/' })?.issuer).toBe('https://id.example.org/realm')
  expect(parse({ ...full, OIDC_ISSUER: 'https://id.example.org/' })?.issuer).toBe('https://id.example.org')
})

test('without OIDC_ISSUER there is no single sign-on', () => {
  expect(parse({})).toBeNull()
})

test('issuer, client and the file of the secret are enough', () => {
  expect(parse(full)).toEqual({
    issuer: 'https://id.example.org/realm',
    clientId: 'gatehouse',
    clientSecretFile: '/srv/keys/oidc',
    name: 'single sign-on',
    roleClaim: null,
  })
  expect(parse({ ...full, OIDC_ISSUER: 'http://localhost:8080', OIDC_NAME: 'Acme ID', OIDC_ROLE_CLAIM: 'groups' })).toMatchObject({
    name: 'Acme ID',
    roleClaim: 'groups',
  })
})

test.each([
  [{ ...full, OIDC_ISSUER: 'http://id.example.org' }, /^OIDC_ISSUER must begin with https/],
  [{ ...full, OIDC_ISSUER: 'https://a:b@id.example.org' }, /^OIDC_ISSUER must be an address without/],
  [{ ...full, OIDC_ISSUER: 'ldap://id.example.org' }, /^OIDC_ISSUER is invalid/],
  [{ OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'x' }, /OIDC_CLIENT_SECRET_FILE/],
  [{ OIDC_CLIENT_ID: 'x' }, /^OIDC_ISSUER is missing: OIDC_CLIENT_ID/],
])('%j is refused', (env, message) => {
  expect(() => parse(env)).toThrow(message)
})
