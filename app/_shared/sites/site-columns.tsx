/** The columns of the list of sites, and its query. A new column is a definition and an id in `columns`. */
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { bytesOf, formatSize } from '../../_ui/size'
import type { ListColumns } from '../collection/list-column'
import { defineQuery } from '../collection/query'
import { LabelCell } from '../labels/labels'
import { backupColumn, domainColumn, serverColumn } from './common-columns'
import { PointsMark, SiteStateChip, Ssl, StagingMark, titleOfDomain } from './site-cells'
import { endsSoon, formatExpiry, formatPoints, formatSiteState, formatSsl, isExpired } from './site-state'

const asIs = (text: string): string => text

const given = (text: string): readonly string[] => (text === '' ? [] : [text])

/** What the filter by certificate tells apart. One that ends soon or is over is also on. */
export function certificateOf({ ssl, expires }: ListedSite, now = Date.now()): readonly ('on' | 'off' | 'soon' | 'expired')[] {
  if (ssl !== 'on') return ssl === 'off' ? ['off'] : []
  if (isExpired(expires, now)) return ['on', 'expired']
  return endsSoon(expires, now) ? ['on', 'soon'] : ['on']
}

const formatApp = ({ app, appVersion }: ListedSite): string => `${app} ${appVersion}`.trim()

/**
 * MX, usage and DNS are hidden first, because the domain needs the space. On a phone all of them are, and what is left is below the
 * domain.
 */
export const siteColumns: ListColumns<ListedSite, SiteColumnId> = {
  state: {
    label: 'State',
    has: ({ state }) => state !== '',
    minWidth: 116,
    leaves: 13,
    cell: ({ state }) => <SiteStateChip state={state} />,
    sortText: ({ state }) => (state === '' ? '' : formatSiteState(state)),
    facets: [{ id: 'state', label: 'State', valuesOf: ({ state }) => given(state), format: formatSiteState }],
    csv: [['State', ({ state }) => (state === '' ? '' : formatSiteState(state))]],
  },
  domain: domainColumn,
  server: { ...serverColumn, leaves: 12 },
  app: {
    label: 'App',
    has: ({ app }) => app !== '',
    minWidth: 136,
    leaves: 9,
    cell: (site) => formatApp(site),
    title: (site) => formatApp(site),
    sortText: (site) => formatApp(site),
    // An app, or one of its versions, such as those that are to be updated.
    facets: [{ id: 'app', label: 'App', valuesOf: (site) => [...new Set([...given(site.app), ...given(formatApp(site))])], format: asIs }],
    csv: [
      ['App', ({ app }) => app],
      ['App version', ({ appVersion }) => appVersion],
    ],
  },
  php: {
    label: 'PHP',
    has: ({ php }) => php !== '',
    minWidth: 72,
    leaves: 7,
    className: 'tabular-nums',
    cell: ({ php }) => php,
    sortText: ({ php }) => php,
    facets: [{ id: 'php', label: 'PHP', valuesOf: ({ php }) => given(php), format: asIs }],
    csv: [['PHP', ({ php }) => php]],
  },
  usage: {
    label: 'Usage',
    minWidth: 96,
    leaves: 5,
    cell: ({ usage }) => formatSize(usage),
    sortText: ({ usage }) => (bytesOf(usage) === null ? usage : usage.padStart(18, '0')),
    csv: [['Usage', ({ usage }) => usage]],
  },
  backup: { ...backupColumn, has: ({ backupAt }) => backupAt !== '', leaves: 11 },
  address: {
    label: 'IP',
    minWidth: 148,
    leaves: 6,
    className: 'font-mono text-code',
    cell: ({ address }) => address,
    title: ({ address }) => address,
    sortText: ({ address }) => address,
    csv: [['IP', ({ address }) => address]],
  },
  mx: {
    label: 'MX',
    minWidth: 168,
    grows: true,
    leaves: 1,
    className: 'font-mono text-code text-muted',
    cell: ({ mx }) => mx,
    title: ({ mx }) => mx,
    sortText: ({ mx }) => mx,
    csv: [['MX', ({ mx }) => mx]],
  },
  ssl: {
    label: 'SSL',
    has: ({ ssl }) => ssl !== '',
    minWidth: 148,
    leaves: 10,
    cell: (site) => <Ssl site={site} />,
    title: ({ ssl, expires }) => (ssl === 'on' && expires !== '' ? `Until ${formatExpiry(expires)}` : ''),
    // Those that end first come first.
    sortText: ({ ssl, expires }) => (ssl === 'on' ? `on ${expires}` : ssl),
    facets: [{ id: 'ssl', label: 'SSL', valuesOf: (site) => certificateOf(site), format: formatSsl }],
    csv: [
      ['SSL', ({ ssl }) => (ssl === '' ? '' : formatSsl(ssl))],
      ['SSL expires', ({ expires }) => expires],
    ],
  },
  points: {
    label: 'DNS',
    has: ({ points }) => points !== '',
    minWidth: 72,
    leaves: 3,
    cell: ({ points }) => <PointsMark points={points} />,
    title: ({ points }) => (points === '' ? '' : formatPoints(points)),
    sortText: ({ points }) => points,
    facets: [{ id: 'points', label: 'DNS', valuesOf: ({ points }) => given(points), format: formatPoints }],
    csv: [['DNS', ({ points }) => (points === '' ? '' : formatPoints(points))]],
  },
  // A copy is not listed as a site.
  staging: {
    label: 'Staging',
    has: ({ staging }) => staging !== '',
    minWidth: 88,
    leaves: 4,
    cell: ({ staging }) => <StagingMark copy={staging} />,
    title: ({ staging }) => (staging === '' ? '' : titleOfDomain(staging)),
    sortText: ({ staging }) => staging,
    csv: [['Staging copy', ({ staging }) => staging]],
  },
  service: {
    label: 'Service',
    minWidth: 140,
    leaves: 2,
    className: 'text-muted',
    cell: ({ connectionLabel }) => connectionLabel,
    title: ({ connectionLabel }) => connectionLabel,
    sortText: ({ connectionLabel }) => connectionLabel,
    facets: [{ id: 'service', label: 'Service', valuesOf: ({ connectionLabel }) => [connectionLabel], format: asIs }],
    csv: [['Service', ({ connectionLabel }) => connectionLabel]],
  },
  labels: {
    label: 'Labels',
    has: ({ labels }) => labels.length > 0,
    minWidth: 128,
    leaves: 8,
    cell: ({ labels }) => <LabelCell names={labels} />,
    sortText: ({ labels }) => labels.join(' '),
    facets: [{ id: 'label', label: 'Label', valuesOf: ({ labels }) => labels, format: asIs }],
    csv: [['Labels', ({ labels }) => labels.join(', ')]],
  },
}

/** In the order of the table. */
const columns = [
  'state',
  'domain',
  'server',
  'app',
  'php',
  'usage',
  'backup',
  'address',
  'mx',
  'ssl',
  'points',
  'staging',
  'service',
  'labels',
] as const

type SiteColumnId = (typeof columns)[number]

export const siteQuery = defineQuery({
  columns,
  choosable: columns,
  defaultColumn: 'domain',
  // Filters that take any of several values.
  facets: ['state', 'server', 'app', 'php', 'backup', 'ssl', 'points', 'service', 'label'] as const,
  flags: {},
})

export type SiteQuery = typeof siteQuery.whole
