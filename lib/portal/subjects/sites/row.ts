/** A site in the form that pages use. */
import 'server-only'
import type { SiteDetails } from './details'

/** One line of the list. Kept small, because there may be thousands. */
export type ListedSite = SiteDetails & {
  /** The portal's own opaque id. */
  id: string
  /** As the service lists it, so a name of another script is usually in punycode. */
  domain: string
  /** The portal's own id of its server; null while no list shows that server. */
  serverId: string | null
  /** The server's name, as choices show it; or the service's own id of it while it is unknown. */
  server: string
  /** creating, ready, down, deleting, failed; unknown while its service does not answer; empty if the service does not report it. */
  state: string
  /** on or off; empty if the service does not report it. */
  ssl: string
  /** When the certificate expires, as the service reports it. */
  expires: string
  /** Whether the domain resolves to the server's address: yes or no; empty if either is unknown. */
  points: '' | 'yes' | 'no'
  /** Label of the connection to be used. */
  connectionLabel: string
  /** Whether the preferred service announces extensions. */
  extensions: boolean
  /** The team's labels. */
  labels: string[]
}

export type SiteRow = ListedSite & {
  /** The domain under the name that all subjects have. */
  name: string
  /** Label of the connection to be used, if there is a choice: more than one could be. Else null. */
  acting: string | null
  sandbox: boolean
  /** The server's name or address for SFTP; empty if unknown. */
  serverHost: string
  /** The id of the running job that deletes it. */
  deletingJobId: string | null
}

type Addresses = { address: string; serverAddress: string | null }

const isAddress = (text: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(text) || text.includes(':')

/**
 * Of several addresses of a domain, one has to be the server's. Nothing is compared with a hostname, whose address the portal does not look
 * up.
 */
export function comparePointing({ address, serverAddress }: Addresses): ListedSite['points'] {
  const expected = (serverAddress ?? '').toLowerCase()
  const found = address
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (!isAddress(expected)) return ''
  if (found.includes(expected)) return 'yes'
  return found.every(isAddress) ? 'no' : ''
}
