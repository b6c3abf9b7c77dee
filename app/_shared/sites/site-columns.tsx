import { clsx } from 'clsx'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { useDrawnNow } from '../../_ui/clock'
import { formatSize } from '../../_ui/size'
import type { Column } from '../../_ui/table/column'
import { Domain, titleOfDomain } from './domain'
import { formatExpiry, formatPoints, formatSsl, isExpired } from './site-state'
import { SiteStateChip } from './site-state-chip'

type ColumnOptions = {
  /** Absent for services that do not report it. */
  states: boolean
  ssl: boolean
  points: boolean
  staging: boolean
  /** On a server's own page every row has the same. */
  server: boolean
}

/** The columns that any of the sites has a value for, and a few more for each service that reports them. */
export const columnsFor = (sites: readonly ListedSite[], server: boolean): ColumnOptions => ({
  states: sites.some(({ state }) => state !== ''),
  ssl: sites.some(({ ssl }) => ssl !== ''),
  points: sites.some(({ points }) => points !== ''),
  staging: sites.some(({ staging }) => staging !== ''),
  server,
})

/**
 * MX, usage and DNS are hidden first, because the domain needs the space. On a phone all of them are, and the one that is hidden last shows
 * everything below the domain.
 */
export const siteColumns = ({ states, ssl, points, staging, server }: ColumnOptions): readonly Column<ListedSite>[] => {
  const hiddenLast = states ? 'state' : server ? 'server' : 'address'
  const columns: readonly (Column<ListedSite> | false)[] = [
    states && {
      id: 'state',
      label: 'State',
      minWidth: 116,
      leaves: 8,
      sortable: true,
      cell: ({ state }) => <SiteStateChip state={state} />,
    },
    {
      id: 'domain',
      label: 'Domain',
      minWidth: 200,
      grows: true,
      main: true,
      sortable: true,
      cell: ({ domain }) => <Domain domain={domain} />,
      title: ({ domain }) => titleOfDomain(domain),
    },
    server && {
      id: 'server',
      label: 'Server',
      minWidth: 144,
      leaves: 7,
      sortable: true,
      cell: ({ server: name }) => name,
      title: ({ server: name }) => name,
    },
    {
      id: 'usage',
      label: 'Usage',
      minWidth: 96,
      leaves: 4,
      sortable: true,
      cell: ({ usage }) => formatSize(usage),
    },
    {
      id: 'address',
      label: 'IP',
      minWidth: 148,
      leaves: 6,
      sortable: true,
      className: 'font-mono text-code',
      cell: ({ address }) => address,
      title: ({ address }) => address,
    },
    {
      id: 'mx',
      label: 'MX',
      minWidth: 168,
      leaves: 1,
      sortable: true,
      className: 'font-mono text-code text-muted',
      cell: ({ mx }) => mx,
      title: ({ mx }) => mx,
    },
    ssl && {
      id: 'ssl',
      label: 'SSL',
      minWidth: 176,
      leaves: 5,
      sortable: true,
      cell: (site) => <Ssl site={site} />,
    },
    points && {
      id: 'points',
      label: 'DNS',
      minWidth: 72,
      leaves: 2,
      sortable: true,
      cell: ({ points: found }) => <PointsMark points={found} />,
      title: ({ points: found }) => (found === '' ? '' : formatPoints(found)),
    },
    // A copy is no site of its own in the list.
    staging && {
      id: 'staging',
      label: 'Staging',
      minWidth: 88,
      leaves: 3,
      cell: ({ staging: copy }) => <StagingMark copy={copy} />,
      title: ({ staging: copy }) => (copy === '' ? '' : titleOfDomain(copy)),
    },
  ]
  return columns
    .filter((column) => column !== false)
    .map((column) => (column.id === hiddenLast ? { ...column, folded: (site) => <NarrowRow site={site} server={server} /> } : column))
}

/** narrow: without the column's label above it. */
function Ssl({ site: { ssl, expires }, narrow = false }: { site: ListedSite; narrow?: boolean }) {
  const now = useDrawnNow(60_000)
  if (ssl === '') return null
  const labelled = (text: string) => (narrow ? `SSL ${text.toLowerCase()}` : text)
  if (ssl !== 'on' || expires === '') return <span className={ssl === 'off' ? 'text-muted' : undefined}>{labelled(formatSsl(ssl))}</span>
  if (isExpired(expires, now)) {
    return (
      <span className="text-danger">
        {labelled('Expired')} {formatExpiry(expires)}
      </span>
    )
  }
  return (
    <>
      {labelled(formatSsl(ssl))}
      <span className="text-small text-muted">, until {formatExpiry(expires)}</span>
    </>
  )
}

/** Whether the domain resolves to the address of its server. label: where no column has one. */
function PointsMark({ points, label = '' }: { points: ListedSite['points']; label?: string }) {
  if (points === '') return null
  const Icon = points === 'yes' ? Check : TriangleAlert
  return (
    <span className={clsx('inline-flex items-center gap-1 align-middle', points === 'yes' ? 'text-ok' : 'text-warn')}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span aria-hidden className="text-small">
        {label}
      </span>
      <span className="sr-only">{formatPoints(points)}</span>
    </span>
  )
}

/** copy: the domain of the staging copy. label: where no column has one. */
const StagingMark = ({ copy, label = '' }: { copy: string; label?: string }) =>
  copy === '' ? null : (
    <span className="inline-flex items-center gap-1 align-middle text-muted">
      <Copy aria-hidden size={16} strokeWidth={1.75} />
      <span aria-hidden className="text-small">
        {label}
      </span>
      <span className="sr-only">
        Staging copy: <Domain domain={copy} />
      </span>
    </span>
  )

/** What a phone shows below the domain. */
const NarrowRow = ({ site, server }: { site: ListedSite; server: boolean }) => (
  <span className="flex flex-col items-start gap-1.5">
    {server && site.server !== '' ? <span className="break-all text-muted">{site.server}</span> : null}
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <SiteStateChip state={site.state} />
      {site.ssl === '' ? null : (
        <span className="text-small text-muted">
          <Ssl site={site} narrow />
        </span>
      )}
      {site.address === '' ? null : <span className="font-mono text-code text-muted">{site.address}</span>}
      <PointsMark points={site.points} label="DNS" />
      <StagingMark copy={site.staging} label="Staging" />
    </span>
  </span>
)
