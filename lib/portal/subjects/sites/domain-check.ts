/** What the DNS says of a domain that is about to become a site. */
import 'server-only'
import { Resolver } from 'node:dns/promises'
import { type Outcome, problem } from '@/lib/contract/problem'
import { getSettings } from '@/lib/settings/settings'
import { toAsciiDomain } from '@/lib/text/ascii-domain'

/** addresses: of its A and AAAA records, at most 8; null if the resolver did not answer. */
export type DomainCheck = { addresses: string[] | null }

const mostAddresses = 8

/** The name or the record does not exist, which is an answer. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Problem `invalid` for what is no domain. Never throws. */
export async function checkDomain(typed: string): Promise<Outcome<DomainCheck>> {
  const domain = toAsciiDomain(typed)
  if (!domain?.includes('.')) return { ok: false, problem: problem('invalid') }
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const { dnsServers } = getSettings()
  if (dnsServers.length > 0) resolver.setServers([...dnsServers])
  const ask = (query: Promise<string[]>): Promise<string[] | null> =>
    query.catch((error: NodeJS.ErrnoException) => (absent.has(error.code ?? '') ? [] : null))
  const [four, six] = await Promise.all([ask(resolver.resolve4(domain)), ask(resolver.resolve6(domain))])
  const addresses = four === null && six === null ? null : [...(four ?? []), ...(six ?? [])].slice(0, mostAddresses)
  return { ok: true, data: { addresses } }
}
