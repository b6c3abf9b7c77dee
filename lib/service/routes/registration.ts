/** Checks the fields of a registration: a server's name and how to reach it. */
import { isIP } from 'node:net'
import { host } from '@/lib/contract/fields'
import { messageOf } from '@/lib/contract/limits'
import type { Input } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { findProvider, type ProviderName } from '../machines/fleet'
import type { FirstLogin } from '../machines/machine'
import type { Refusals } from './call'

export type Registration = {
  provider: ProviderName
  login: FirstLogin
  name: string
  dns: string
  region: string
  type: string
  /** ask: only if the server has no sites that would come back. */
  adopt: 'ask' | ''
}

type Fields = Input<typeof servers.create>

type Login = Pick<Fields, 'user' | 'pass' | 'host_key'>

const label = '[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?'
const hostName = new RegExp(`^${label}(\\.${label})*\\.?$`)

const isPrivateKey = (pass: string) => pass.trimStart().startsWith('-----BEGIN')

/** The normalised address, without brackets around IPv6 and surrounding spaces. */
function cleanHost(text: string): string {
  const host = text.trim()
  const inner = /^\[(.*)\]$/.exec(host)?.[1]
  return inner !== undefined && isIP(inner) === 6 ? inner : host
}

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return true
  // Digits and dots that are not an IPv4 address are a typo or an obsolete notation of an address.
  return hostName.test(host) && !/^[\d.]+$/.test(host)
}

function passRefusal(pass: string): string | null {
  return !isPrivateKey(pass) && /[\r\n]/.test(pass) ? 'A password has one line. A private key starts with -----BEGIN.' : null
}

/** Checks that the fields' limits cannot express. With host_key `ask` there is no login, so pass may be empty. */
export function registrationRefusals(input: Fields): Refusals {
  return { host: isHost(cleanHost(input.host)) ? null : messageOf(host, 'pattern'), ...reentryRefusals(input) }
}

/** The same for a server whose address is known. */
export function reentryRefusals({ pass, host_key }: Login): Refusals {
  return { pass: host_key === 'ask' ? null : passRefusal(pass) }
}

/** The login for a server that is already managed. */
export type Reentry = Pick<FirstLogin, 'user' | 'pass' | 'hostKey'>

export function parseReentry({ user, pass, host_key }: Login): Reentry {
  return host_key === undefined ? { user, pass } : { user, pass, hostKey: host_key }
}

/** The registration in the checked fields. Throws Refused invalid for an unknown provider. */
export function parseRegistration(fields: Fields): Registration {
  const provider = findProvider(fields.provider)
  if (provider === null) throw new Refused(problem('invalid'))
  const { dns, region, type } = fields
  const login = { host: cleanHost(fields.host), port: Number(fields.port), ...parseReentry(fields) }
  return { provider, login, name: fields.name.trim(), dns, region, type, adopt: fields.adopt === 'ask' ? 'ask' : '' }
}
