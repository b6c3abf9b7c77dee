/** Parses the settings of single sign-on. */
import { z } from 'zod'
import { isLoopback } from './loopback'

export type SingleSignOnSettings = {
  /** As the provider names itself in its tokens, without a final slash. https, except on this machine. */
  issuer: string
  clientId: string
  /** The absolute path of the file with the client secret; read at each sign-in. */
  clientSecretFile: string
  /** What the provider is called on pages. */
  name: string
  /** The claim that may name a role; null: roles are only given in Gatehouse. */
  roleClaim: string | null
}

const text = z.string().min(1).max(200).optional()

/** The variables of the environment. */
export const singleSignOnVariables = {
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET_FILE: z.string().min(1).optional(),
  OIDC_NAME: z.string().min(1).max(40).optional(),
  OIDC_ROLE_CLAIM: text,
}

type Given = { [Name in keyof typeof singleSignOnVariables]?: string | undefined }

/** Providers write their issuer with or without a final slash. */
export const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/** Null without OIDC_ISSUER; a sentence for the operator if the settings do not fit together. */
export function parseSingleSignOn(given: Given, at: (file: string) => string): SingleSignOnSettings | { invalid: string } | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET_FILE: secretFile } = given
  if (issuer === undefined) {
    const alone = Object.entries(given).find(([name, value]) => name in singleSignOnVariables && value !== undefined)
    return alone ? { invalid: `OIDC_ISSUER is missing: ${alone[0]} has no effect without it.` } : null
  }
  const address = new URL(issuer)
  const { protocol, search, hash, username, password } = address
  if (protocol !== 'https:' && !isLoopback(address)) return { invalid: 'OIDC_ISSUER must begin with https, except on this machine.' }
  if (search || hash || username || password) return { invalid: 'OIDC_ISSUER must be an address without a query, fragment or password.' }
  if (clientId === undefined || secretFile === undefined) {
    return { invalid: 'OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET_FILE too.' }
  }
  return {
    issuer: withoutSlash(issuer),
    clientId,
    clientSecretFile: at(secretFile),
    name: given.OIDC_NAME ?? 'single sign-on',
    roleClaim: given.OIDC_ROLE_CLAIM ?? null,
  }
}
