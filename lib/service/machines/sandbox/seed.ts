/** Generates any number of sandbox servers: the n-th is always the same, with a plausible name, location and state. */
import { createModel } from './fresh'
import { hostKeyOf, seedDomain } from './host'
import { renderModel, type SandboxModel } from './model'
import { advance, beginJob } from './timeline'

/** All stored columns of such a server except its id and account. */
export type SeedServer = {
  name: string
  dns: string
  hostname: string
  host: string
  region: string
  ip: string
  state: 'new' | 'ready' | 'failed'
  hostKey: string
  model: string
}

/** The same login for all of them. */
export const seedLogin = { port: 22, user: 'root' } as const

const roles = ['web', 'db', 'mail', 'cache', 'app', 'api', 'queue', 'search', 'build', 'backup', 'proxy', 'wiki', 'git', 'metrics', 'shop']
const places = ['fra', 'ber', 'osl', 'ams', 'par', 'lon', 'mad', 'mil', 'waw', 'nyc', 'sfo', 'tor', 'sgp', 'syd', 'tyo', 'gru']
const owners = ['northwind', 'lanternworks', 'harbour', 'bluefin', 'millrace', 'oakline', 'tidewater']
const dnsProviders = ['Cloudflare', 'Hetzner', 'Route 53', 'deSEC', '']
const behaviours = ['slow-', 'flaky-', 'fail-']

/** The item at `n`, wrapping around. The lists are never empty. */
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

// One in 16 misbehaves; one in 12 is not installed yet; one in 25 failed to install.
const behaviourOf = (n: number): string => (n % 16 === 7 ? pick(behaviours, Math.floor(n / 16)) : '')
const stateOf = (n: number): SeedServer['state'] => (n % 12 === 5 ? 'new' : n % 25 === 9 ? 'failed' : 'ready')

const dayMs = 86_400_000

/** The n-th server, counted from 0, at `nowMs`. */
export function createSeedServer(n: number, nowMs: number): SeedServer {
  const role = pick(roles, n)
  const region = pick(places, Math.floor(n / roles.length))
  const number = String(Math.floor(n / (roles.length * places.length)) + 1).padStart(2, '0')
  const plainName = `${role}-${region}-${number}`
  const host = `n${n}.${seedDomain}`
  const name = `${behaviourOf(n)}${plainName}`
  const hostname = `${plainName}.${pick(owners, n * 5 + Math.floor(n / 16))}.example`
  const state = stateOf(n)
  const bootedAtMs = nowMs - (1 + (n % 90)) * dayMs
  const model: SandboxModel = { ...standingIn(state, behaviourOf(n)), hostname, ipv4: addressOf(n), bootedAtMs }
  const hostKey = hostKeyOf(host, seedLogin.port, 1)
  return { name, dns: pick(dnsProviders, n * 3), hostname, host, region, ip: model.ipv4, state, hostKey, model: renderModel(model) }
}

/** Within 198.18.0.0/15, which is reserved for benchmarks and large enough for all of them. */
const addressOf = (n: number): string => `198.${18 + (Math.floor(n / 65_536) % 2)}.${Math.floor(n / 256) % 256}.${n % 256}`

const standing = new Map<string, SandboxModel>()

/** A server with that behaviour in that state. All servers of a kind share one model, so it is computed once. */
function standingIn(state: SeedServer['state'], behaviour: string): SandboxModel {
  const key = `${state} ${behaviour}`
  const known = standing.get(key) ?? bringTo(state, behaviour)
  standing.set(key, known)
  return known
}

/** Simulates the installs that lead to this state, long ago. Their lines are not stored. */
function bringTo(state: SeedServer['state'], behaviour: string): SandboxModel {
  const model = createModel({ name: behaviour, host: seedDomain, user: seedLogin.user, nowMs: 0 })
  const ownBehaviour = model.temper
  const installs = state === 'new' ? 0 : state === 'ready' && ownBehaviour === 'failing' ? 2 : 1
  if (state === 'failed') model.temper = 'failing'
  for (let run = 0; run < installs; run++) {
    beginJob(model, 0, 1)
    advance(model, dayMs)
  }
  return { ...model, temper: ownBehaviour, lines: [], job: null }
}
