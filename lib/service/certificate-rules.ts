/** Asks DNS whether a domain lets the certificate authority issue certificates (CAA, RFC 8659). */
import { Resolver } from 'node:dns/promises'
import { fetchIdentities } from './acme-directory'
import type { Authority } from './machines/sites'

export type CertificateRules = {
  /** Why the authority may not issue a certificate for a name, as a sentence; null if it may, or if it is not known. Never throws. */
  refusal(name: string): Promise<string | null>
}

const identitiesMs = 60 * 60_000

export function createCertificateRules(authority: Authority, dnsServers: readonly string[]): CertificateRules {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  let known: { identities: readonly string[]; until: number } | undefined

  const readIdentities = async () => {
    if (known && known.until > Date.now()) return known.identities
    const identities = await fetchIdentities(authority).catch(() => null)
    if (identities) known = { identities, until: Date.now() + identitiesMs }
    return identities ?? known?.identities ?? []
  }

  /** The records of the name, or of the nearest parent that has some; null if DNS does not answer. */
  const readRecords = async (name: string) => {
    const labels = name.split('.')
    for (let from = 0; from < labels.length; from++) {
      const records = await resolver.resolveCaa(labels.slice(from).join('.')).catch(absentOrNull)
      if (records === null || records.length > 0) return records
    }
    return []
  }

  return {
    async refusal(name) {
      const [identities, records] = await Promise.all([readIdentities(), readRecords(name)])
      const issuers = (records ?? []).flatMap(({ issue }) => (issue === undefined ? [] : [issue.split(';')[0]?.trim() ?? '']))
      if (identities.length === 0 || issuers.length === 0 || issuers.some((issuer) => identities.includes(issuer))) return null
      const allowed = issuers.filter((issuer) => issuer !== '').join(', ')
      const wanted = `Add one for ${identities[0]}, or delete them.`
      return `The CAA records of ${name} in DNS allow ${allowed === '' ? 'nobody' : `only ${allowed}`} to issue certificates. ${wanted}`
    },
  }
}

type CaaRecords = Awaited<ReturnType<Resolver['resolveCaa']>>

function absentOrNull(error: unknown): CaaRecords | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
}
