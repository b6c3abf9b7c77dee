/** Asks DNS whether a domain lets the certificate authority issue certificates (CAA, RFC 8659). */
import { Resolver } from 'node:dns/promises'
import { fetchIdentities } from './acme-directory'
import { cleanText } from './clean-text'
import type { Authority, NameRefusal } from './machines/sites'
import { createShared } from './shared'

export type CertificateRules = {
  /** Why the authority may not issue a certificate for a name, as a sentence; null if it may, or if it is not known. Never throws. */
  refusal(name: string): Promise<string | null>
  /** The same of several names: those that are refused. */
  refusals(names: readonly string[]): Promise<NameRefusal[]>
}

const identitiesMs = 60 * 60_000
const mostIssuers = 5

/** identities: reads the names by which the authority appears in CAA records. patienceMs: how long DNS may take about one name. */
type Options = { identities?: typeof fetchIdentities; patienceMs?: number }

export function createCertificateRules(
  authority: Authority,
  dnsServers: readonly string[],
  { identities: fetch = fetchIdentities, patienceMs = 10_000 }: Options = {},
): CertificateRules {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const shared = createShared<readonly string[]>(identitiesMs)
  let newest: readonly string[] = []

  /** While the authority does not answer, what it said last. */
  const readIdentities = async () => {
    newest = await shared.read('', () => fetch(authority)).catch(() => newest)
    return newest
  }

  /** The records of the name, or of the nearest parent that has some; null if DNS does not answer, or not in time. */
  const readRecords = async (name: string) => {
    const until = Date.now() + patienceMs
    const labels = name.split('.')
    for (let from = 0; from < labels.length; from++) {
      if (Date.now() > until) return null
      const records = await resolver.resolveCaa(labels.slice(from).join('.')).catch(absentOrNull)
      if (records === null || records.length > 0) return records
    }
    return []
  }

  const refusal = async (name: string) => {
    const [identities, records] = await Promise.all([readIdentities(), readRecords(name)])
    const issuers = (records ?? []).flatMap(({ issue }) => (issue === undefined ? [] : [issue.split(';')[0]?.trim() ?? '']))
    if (identities.length === 0 || issuers.length === 0 || issuers.some((issuer) => identities.includes(issuer))) return null
    const allowed = namesOf(issuers)
    const wanted = `Add one for ${cleanText(identities[0] ?? '', mostCharacters)}, or delete them.`
    return `The CAA records of ${name} in DNS allow ${allowed === '' ? 'nobody' : `only ${allowed}`} to issue certificates. ${wanted}`
  }
  return {
    refusal,
    async refusals(names) {
      const found = await Promise.all(names.map(async (name) => ({ name, reason: await refusal(name) })))
      return found.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]))
    },
  }
}

/** Whoever owns the domain decides what the records say, and how many there are. */
const mostCharacters = 100

function namesOf(issuers: readonly string[]): string {
  const names = issuers.map((issuer) => cleanText(issuer, mostCharacters)).filter((issuer) => issuer !== '')
  return [...names.slice(0, mostIssuers), ...(names.length > mostIssuers ? ['…'] : [])].join(', ')
}

type CaaRecords = Awaited<ReturnType<Resolver['resolveCaa']>>

function absentOrNull(error: unknown): CaaRecords | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
}
