/** Looks up what DNS says about a site's domain. */
import { Resolver } from 'node:dns/promises'
import { sandboxDns } from './machines/sandbox/names'

/** address: the A records, mx: the mail servers by preference, both separated by commas; empty if there are none. */
export type DnsFindings = { address: string; mx: string }

/** A member is absent if the resolver did not answer, so that what is known stays. Never throws. */
export type LookUpDns = (machine: { provider: string; ip: string }, domain: string) => Promise<Partial<DnsFindings>>

/** The name or the record does not exist, which is an answer. */
const without = new Set(['ENOTFOUND', 'ENODATA'])

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && without.has(String(error.code))

/** servers: addresses of resolvers; the system's own if empty. Sandbox sites are simulated and not looked up. */
export function createDnsLookup(servers: readonly string[]): LookUpDns {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = (query: Promise<string[]>): Promise<string | undefined> =>
    query.then(
      (found) => found.join(', '),
      (error: unknown) => (isAbsent(error) ? '' : undefined),
    )
  const mailServers = async (domain: string) =>
    (await resolver.resolveMx(domain)).sort((one, other) => one.priority - other.priority).map(({ exchange }) => exchange)
  return async ({ provider, ip }, domain) => {
    if (provider === 'sandbox') return sandboxDns(domain, ip)
    const [address, mx] = await Promise.all([ask(resolver.resolve4(domain)), ask(mailServers(domain))])
    return { ...(address !== undefined && { address }), ...(mx !== undefined && { mx }) }
  }
}
