/** The fields of a registration, checked: what a machine may be called and how it may be reached. */
import { isIP } from 'node:net'
import type { Input } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { findProvider, type ProviderName, providerRefusal } from '../machines/fleet'
import type { FirstLogin } from '../machines/machine'
import { nameRefusal, noteRefusal } from './names'

export type Registration = {
  provider: ProviderName
  login: FirstLogin
  name: string
  dns: string
  region: string
  type: string
}

type Fields = Input<typeof servers.create>

const hostName = /^(?=.{1,253}$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\.?$/
const userName = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/
const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}$/
const hostKeyWanted = 'Give ask, or a fingerprint like SHA256:… as ssh-keygen shows it.'
const userWanted = 'Give the name of a user on the machine, such as root.'
const mostPassBytes = 16_384

const isPrivateKey = (pass: string) => pass.trimStart().startsWith('-----BEGIN')

/** An address as it is used: brackets around IPv6 and spaces around anything are forgiven. */
function cleanHost(text: string): string {
  const host = text.trim()
  const inner = /^\[(.*)\]$/.exec(host)?.[1]
  return inner !== undefined && isIP(inner) === 6 ? inner : host
}

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return true
  // All digits and dots, yet no IPv4 address: a mistake, or an old way to write another address.
  return hostName.test(host) && !/^[\d.]+$/.test(host)
}

function passRefusal(pass: string): string | null {
  if (pass === '') return 'Give the password of the user, or a private key that opens the machine.'
  if (Buffer.byteLength(pass) > mostPassBytes) return 'This is too long.'
  return !isPrivateKey(pass) && /[\r\n]/.test(pass) ? 'A password has one line. A private key begins with -----BEGIN.' : null
}

/** Reasons by field. With host_key `ask` nobody logs in yet: name, user and pass may still be open. */
function findRefusals(fields: Fields): Record<string, string> {
  const checks: [field: string, refusal: string | null | false][] = [
    ['provider', findProvider(fields.provider) === null && providerRefusal],
    ['host', !isHost(cleanHost(fields.host)) && 'Give a host name, an IPv4 or an IPv6 address.'],
    ['port', !isPort(fields.port) && 'Give a number from 1 to 65535.'],
    ['host_key', !isHostKey(fields.host_key) && hostKeyWanted],
    ['dns', noteRefusal(fields.dns)],
    ['region', noteRefusal(fields.region)],
    ['type', noteRefusal(fields.type)],
  ]
  if (fields.host_key !== 'ask') {
    checks.push(['name', nameRefusal(fields.name)], ['user', !userName.test(fields.user) && userWanted], ['pass', passRefusal(fields.pass)])
  }
  return Object.fromEntries(checks.flatMap(([field, refusal]) => (refusal ? [[field, refusal]] : [])))
}

/** What a machine that we have already is entered with anew. */
export type Reentry = Pick<FirstLogin, 'user' | 'pass' | 'hostKey'>

/** The same for a machine whose address is known. With host_key `ask` nobody logs in. Throws Refused invalid. */
export function parseReentry({ user, pass, host_key }: Input<typeof servers.resetKey>): Reentry {
  const asks = host_key === 'ask'
  const checks: [field: string, refusal: string | null | false][] = [
    ['host_key', !isHostKey(host_key) && hostKeyWanted],
    ['user', !asks && !userName.test(user) && userWanted],
    ['pass', asks ? null : passRefusal(pass)],
  ]
  const fields = Object.fromEntries(checks.flatMap(([field, refusal]) => (refusal ? [[field, refusal]] : [])))
  if (Object.keys(fields).length > 0) throw new Refused(problem('invalid', { fields }))
  return host_key === undefined ? { user, pass } : { user, pass, hostKey: host_key }
}

const isPort = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

const isHostKey = (text: string | undefined) => text === undefined || text === 'ask' || fingerprint.test(text)

/** Checks all fields at once. Throws Refused invalid with a reason for each that is not acceptable. */
export function parseRegistration(fields: Fields): Registration {
  const refusals = findRefusals(fields)
  const provider = findProvider(fields.provider)
  if (provider === null || Object.keys(refusals).length > 0) throw new Refused(problem('invalid', { fields: refusals }))
  const { user, pass, dns, region, type } = fields
  const login = { host: cleanHost(fields.host), port: Number(fields.port), user, pass }
  return {
    provider,
    login: fields.host_key === undefined ? login : { ...login, hostKey: fields.host_key },
    name: fields.name.trim(),
    dns,
    region,
    type,
  }
}
