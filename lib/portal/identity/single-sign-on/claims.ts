/** What an identity provider says about a person, from a token that next-auth has verified. */
import 'server-only'
import type { Role } from '@/lib/portal/identity/actor'
import { type SingleSignOnSettings, withoutSlash } from '@/lib/settings/single-sign-on'
import { parseEmail } from '../email'
import { refuseName } from '../name'

export type Claims = {
  /** Together the person's lasting id at the provider. */
  issuer: string
  subject: string
  /** Only an address that the provider has verified. */
  email: string | null
  /** For a new account; the address's first part if the provider gives no usable name. */
  name: string
  /** When the person last proved who they are at the provider; null if it does not say. Never in the future. */
  provenAt: Date | null
  /** The role that the configured claim names; null if it names none. Never owner. */
  role: Role | null
  /** The claim's text if it names no role that a claim may give. */
  unknownRole: string | null
}

/** Null if the token is not the configured issuer's. */
export function parseClaims(token: Readonly<Record<string, unknown>>, settings: SingleSignOnSettings): Claims | null {
  const { iss, sub, email, email_verified: verified, name, auth_time: seconds } = token
  if (typeof iss !== 'string' || withoutSlash(iss) !== settings.issuer) return null
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) return null
  const proven = verified === true && typeof email === 'string' ? parseEmail(email) : null
  return {
    issuer: settings.issuer,
    subject: sub,
    email: proven,
    name: typeof name === 'string' && refuseName(name) === null ? name.trim() : (proven?.split('@')[0] ?? ''),
    provenAt: typeof seconds === 'number' && seconds >= 0 ? new Date(Math.min(seconds * 1000, Date.now())) : null,
    ...readRole(settings.roleClaim === null ? undefined : token[settings.roleClaim]),
  }
}

/** From the most to the least powerful. */
const givable = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[]

/** A text, or a list of texts such as groups, of which the most powerful role counts. */
function readRole(claim: unknown): Pick<Claims, 'role' | 'unknownRole'> {
  const texts = (Array.isArray(claim) ? claim : [claim]).filter((each): each is string => typeof each === 'string')
  const role = givable.find((each) => texts.includes(each)) ?? null
  return { role, unknownRole: role === null && texts.length > 0 ? texts.join(', ').slice(0, 100) : null }
}
