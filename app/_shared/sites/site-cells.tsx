/** The cells of the list of sites that are more than a text, and what a phone shows below a domain. */
import { clsx } from 'clsx'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { useDrawnNow } from '../../_ui/clock'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import { Labels } from '../labels/labels'
import { formatDaysLeft, formatPoints, formatSsl, isExpired, siteChipOf } from './site-state'

/** narrow: without the column's label above it. */
export function Ssl({ site: { ssl, expires }, narrow = false }: { site: ListedSite; narrow?: boolean }) {
  const now = useDrawnNow(60_000)
  if (ssl === '') return null
  const labelled = (text: string) => (narrow ? `SSL ${text.toLowerCase()}` : text)
  if (ssl !== 'on' || expires === '') return <span className={ssl === 'off' ? 'text-muted' : undefined}>{labelled(formatSsl(ssl))}</span>
  const left = formatDaysLeft(expires, now)
  // Counted in days on the server and in the browser, between which midnight may lie.
  return (
    <span suppressHydrationWarning className={isExpired(expires, now) ? 'text-danger' : undefined}>
      {labelled(left)}
    </span>
  )
}

/** at: see SiteDetails. */
export function LastBackup({ at }: { at: string }) {
  if (at === '') return null
  return at === 'none' ? <span className="text-warn">None</span> : <RelativeTime at={at} short />
}

/** Whether the domain resolves to the address of its server. label: where no column has one. */
export function PointsMark({ points, label = '' }: { points: ListedSite['points']; label?: string }) {
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
export const StagingMark = ({ copy, label = '' }: { copy: string; label?: string }) =>
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

/** What a phone shows below the domain. server: whether the rows are of several servers. */
export const NarrowSite = ({ site, server }: { site: ListedSite; server: boolean }) => (
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
      <Labels names={site.labels} />
    </span>
  </span>
)

/** Nothing for a site whose service reports no state. */
export function SiteStateChip({ state }: { state: string }) {
  const chip = siteChipOf(state)
  return chip && <StateChip {...chip} />
}

/** A domain as people read it. */
export const Domain = ({ domain }: { domain: string }) => <>{toReadableDomain(domain)}</>

/** The whole name; for one of another script also the form that the DNS uses. */
export function titleOfDomain(domain: string): string {
  const readable = toReadableDomain(domain)
  return readable === domain ? domain : `${readable} (${domain})`
}
