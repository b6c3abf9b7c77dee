/** Looks up what DNS says about a site's domain, and about its mail. */
import { Resolver } from 'node:dns/promises'
import { cleanText } from './clean-text'
import { sandboxDns, sandboxMailDns } from './machines/sandbox/names'
import { keyName, type MailFindings, policyName } from './mail-records'

/**
 * address: the A records, mx: the mail servers by preference, both separated by commas; empty if there are none. Whoever owns the domain
 * decides how many there are, so “…” stands for the rest of many.
 */
export type DnsFindings = { address: string; mx: string }

/** A member is absent if the resolver did not answer, so that what is known stays. Never throws. */
export type LookUpDns = (machine: { provider: string; ip: string }, domain: string) => Promise<Partial<DnsFindings>>

/** The name or the record does not exist, which is an answer. */
const without = new Set(['ENOTFOUND', 'ENODATA'])

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && without.has(String(error.code))

const mostRecords = 8

function joined(records: readonly string[]): string {
  const kept = records.slice(0, mostRecords).map((record) => cleanText(record))
  return [...kept, ...(records.length > mostRecords ? ['…'] : [])].join(', ')
}

/** servers: addresses of resolvers; the system's own if empty. Sandbox sites are simulated and not looked up. */
export function createDnsLookup(servers: readonly string[]): LookUpDns {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = (query: Promise<string[]>): Promise<string | undefined> =>
    query.then(joined, (error: unknown) => (isAbsent(error) ? '' : undefined))
  /** The server's own address first, so that it is not among those that are left out. */
  const addresses = async (domain: string, own: string) =>
    (await resolver.resolve4(domain)).sort((one, other) => Number(other === own) - Number(one === own))
  const mailServers = async (domain: string) =>
    (await resolver.resolveMx(domain)).sort((one, other) => one.priority - other.priority).map(({ exchange }) => exchange)
  return async ({ provider, ip }, domain) => {
    if (provider === 'sandbox') return sandboxDns(domain, ip)
    const [address, mx] = await Promise.all([ask(addresses(domain, ip)), ask(mailServers(domain))])
    return { ...(address !== undefined && { address }), ...(mx !== undefined && { mx }) }
  }
}

/** Never throws. */
export type LookUpMail = (machine: { provider: string; ip: string; hostname: string }, domain: string) => Promise<MailFindings>

/** Whoever owns the domain decides how many mail servers it names. */
const mostServers = 4

/** servers: as for createDnsLookup. */
export function createMailLookup(servers: readonly string[]): LookUpMail {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = <Found>(query: Promise<Found[]>): Promise<Found[] | null> => query.catch((error: unknown) => (isAbsent(error) ? [] : null))
  const texts = async (name: string) =>
    (await ask(resolver.resolveTxt(name)))?.slice(0, 20).map((parts) => cleanText(parts.join(''), 2000)) ?? null
  const mailServers = async (domain: string): Promise<MailFindings['servers']> => {
    const found = await ask(resolver.resolveMx(domain))
    if (!found) return null
    const preferred = found.sort((one, other) => one.priority - other.priority).slice(0, mostServers)
    return Promise.all(
      preferred.map(async ({ exchange }) => ({ name: cleanText(exchange), addresses: (await ask(resolver.resolve4(exchange))) ?? [] })),
    )
  }
  return async ({ provider, ip, hostname }, domain) => {
    if (provider === 'sandbox') return sandboxMailDns(domain, { ip, hostname })
    const [found, txt, key, policy, names] = await Promise.all([
      mailServers(domain),
      texts(domain),
      texts(keyName(domain)),
      texts(policyName(domain)),
      ip === '' ? null : ask(resolver.reverse(ip)),
    ])
    return { servers: found, txt, key, policy, names: names?.slice(0, 20).map((name) => cleanText(name)) ?? null }
  }
}
