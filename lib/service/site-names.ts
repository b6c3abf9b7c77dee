/** Names of sites: domains checked and in punycode, and the name that a site has on its server. */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { getPublicSuffix } from 'tldts'
import { toAsciiDomain } from '@/lib/text/ascii-domain'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const maxDomainLength = 253

/** Browsers read a name whose last label is a number as an IPv4 address. */
const addressEnd = /(^|\.)(\d+|0x[0-9a-f]*)$/

/** A domain in lower case and punycode, or why it cannot be one of a site. */
export type DomainReading = { domain: string } | { refusal: string }

/** Reads a domain as a person writes it, letters of any script included. */
export function readDomain(given: string): DomainReading {
  const domain = toAsciiDomain(given) ?? ''
  if (isIP(given.trim()) !== 0 || addressEnd.test(domain)) return { refusal: 'Enter a domain name, not an address.' }
  const labels = domain.split('.')
  const wellFormed = domain.length <= maxDomainLength && labels.every((each) => label.test(each))
  if (!wellFormed) return { refusal: 'Enter a domain name, such as example.org.' }
  if (labels.length < 2) return { refusal: 'Enter a complete domain name with a dot, such as example.org.' }
  // Browsers treat sites below a public suffix as belonging to different owners.
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain) {
    return { refusal: `${domain} is a public suffix, under which anybody can register names. Enter a domain below it.` }
  }
  return { domain }
}

/** The aliases that a new site gets: its name with `www.`, unless that is what the domain begins with, or too long a name. */
export function firstAliases(domain: string, www: boolean): string[] {
  const alias = `www.${domain}`
  return www && !domain.startsWith('www.') && alias.length <= maxDomainLength ? [alias] : []
}

/** A new name for a site's user and database: the domain's letters and digits, and four more that make it unique. */
export function createSiteName(domain: string): string {
  const readable = domain
    .replace(/^www\.|xn--/g, '')
    .replace(/[^a-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 20)
  return `${readable || 'site'}${randomBytes(2).toString('hex')}`
}
