/** The list of sites as a collection: searched, sorted and filtered, the same on the server and in the browser. */
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import type { CollectionKind } from '../collection/kind'
import { csvOf, facetsOf, sortTextsOf } from '../collection/list-column'
import { type SiteQuery, siteColumns, siteQuery } from './site-columns'

export const siteCollection: CollectionKind<ListedSite, SiteQuery> = {
  noun: 'site',
  label: 'Sites',
  query: siteQuery,
  nameOf: ({ domain }) => domain,
  selectLabel: ({ domain }) => `Select ${domain}`,
  selectAllLabel: 'Select all that are shown',
  searched: ({ domain, aliases, staging, app, server, address, mx, connectionLabel, labels }) => [
    domain,
    toReadableDomain(domain),
    ...aliases.flatMap((alias) => [alias, toReadableDomain(alias)]),
    staging,
    app,
    server,
    address,
    mx,
    connectionLabel,
    ...labels,
  ],
  sortTexts: sortTextsOf(siteColumns),
  facets: facetsOf(siteColumns),
  flags: [],
  searchHint: 'Filter by domain, server, address',
  noMatch: {
    title: 'No matching sites',
    description: 'Searches domain, aliases, app, server, IP address, MX, service and labels. All words must match.',
  },
}

/** On the page of one server. */
export const sitesOfServer: typeof siteCollection = {
  ...siteCollection,
  searchHint: 'Filter by domain or address',
  noMatch: { title: 'No matching sites', description: 'Searches domain, aliases, app, IP address, MX and labels. All words must match.' },
}

export const siteCsv = csvOf(siteColumns)
