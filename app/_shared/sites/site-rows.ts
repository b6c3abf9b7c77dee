/** The list of sites as a collection: searched, sorted and filtered, the same on the server and in the browser. */
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { bytesOf } from '../../_ui/size'
import type { CsvColumn } from '../collection/csv'
import type { CollectionKind } from '../collection/kind'
import { type SiteQuery, siteQuery } from './site-query'
import { formatPoints, formatSiteState, formatSsl } from './site-state'

const asIs = (text: string): string => text

export const siteCollection: CollectionKind<ListedSite, SiteQuery> = {
  noun: 'site',
  label: 'Sites',
  query: siteQuery,
  nameOf: ({ domain }) => domain,
  selectLabel: ({ domain }) => `Select ${domain}`,
  selectAllLabel: 'Select all that are shown',
  searched: ({ domain, staging, server, address, mx, connectionLabel }) => [
    domain,
    toReadableDomain(domain),
    staging,
    server,
    address,
    mx,
    connectionLabel,
  ],
  sortTexts: {
    state: ({ state }) => (state === '' ? '' : formatSiteState(state)),
    domain: ({ domain }) => domain,
    server: ({ server }) => server,
    usage: ({ usage }) => (bytesOf(usage) === null ? usage : usage.padStart(18, '0')),
    address: ({ address }) => address,
    mx: ({ mx }) => mx,
    ssl: ({ ssl, expires }) => (ssl === 'on' ? `on ${expires}` : ssl),
    points: ({ points }) => points,
  },
  facets: [
    { id: 'state', label: 'State', valuesOf: ({ state }) => (state === '' ? [] : [state]), format: formatSiteState },
    { id: 'server', label: 'Server', valuesOf: ({ server }) => (server === '' ? [] : [server]), format: asIs },
    { id: 'ssl', label: 'SSL', valuesOf: ({ ssl }) => (ssl === '' ? [] : [ssl]), format: formatSsl },
    { id: 'points', label: 'DNS', valuesOf: ({ points }) => (points === '' ? [] : [points]), format: formatPoints },
    { id: 'service', label: 'Service', valuesOf: ({ connectionLabel }) => [connectionLabel], format: asIs },
  ],
  flags: [],
  searchHint: 'Filter by domain, server, address',
  noMatch: {
    title: 'No matching sites',
    description: 'Searches domain, server, IP address, MX and service. All words must match.',
  },
}

/** On the page of one server. */
export const sitesOfServer: typeof siteCollection = {
  ...siteCollection,
  searchHint: 'Filter by domain or address',
  noMatch: { title: 'No matching sites', description: 'Searches domain, IP address and MX. All words must match.' },
}

export const siteCsv: readonly CsvColumn<ListedSite>[] = [
  ['Domain', ({ domain }) => domain],
  ['State', ({ state }) => (state === '' ? '' : formatSiteState(state))],
  ['Server', ({ server }) => server],
  ['Usage', ({ usage }) => usage],
  ['IP', ({ address }) => address],
  ['MX', ({ mx }) => mx],
  ['SSL', ({ ssl }) => (ssl === '' ? '' : formatSsl(ssl))],
  ['SSL expires', ({ expires }) => expires],
  ['Staging copy', ({ staging }) => staging],
  ['DNS', ({ points }) => (points === '' ? '' : formatPoints(points))],
  ['Service', ({ connectionLabel }) => connectionLabel],
  ['Id', ({ id }) => id],
]
