'use client'

import { type ReactNode, useMemo } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { ageOf } from '@/app/_shared/sites/hsts'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Domain, titleOfDomain } from '@/app/_shared/sites/site-cells'
import { formatExpiry, isExpired } from '@/app/_shared/sites/site-state'
import { Button } from '@/app/_ui/button'
import { useDrawnNow } from '@/app/_ui/clock'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { CheckAgain, ExpectedRecord } from '../dns-records'
import { findObstacle, type NameRow, nameRows, needsRecords, type SslSettings } from './name-rows'
import { SslSwitch, useSsl } from './ssl-switch'

/** job: the newest that changed SSL. */
type Extra = { site: SiteRow; job: JobView | null }

/** Whether SSL of a site is on, what is missing for it, its certificate and its names. */
export function SslView({ id: siteId, name, first, may, extra }: SubjectViewProps<Answer<typeof sites.settings>, Extra>) {
  const read = useOperation('sites.settings', { siteId }, { first, everyMs: 60_000 })
  const { job, refusal, busy, toggle, renew } = useSsl(siteId, extra?.job ?? null)
  const foreign = useForeign()
  const now = useDrawnNow(60_000)
  const settings = read.data?.item[0]
  const rows = useMemo(() => (settings ? nameRows(settings) : []), [settings])
  if (!extra) return null
  const { site } = extra
  const changes = may && settings !== undefined && site.deletingJobId === null
  const on = settings?.ssl ?? (site.ssl === '' ? null : site.ssl === 'on')
  const checkAgain = <CheckAgain read={read} />
  const renewNow =
    changes && mayNeedRenewal(settings, now) ? (
      <Button disabled={busy} onClick={() => void renew()}>
        Renew now
      </Button>
    ) : null
  return (
    <>
      <ReadError
        read={read}
        nothingRead={`The SSL settings of ${toReadableDomain(name)} could not be read.${on === null ? '' : ' The last known state is below.'}`}
      />
      {refusal ? <Notice tone="danger" alert title={refusal.sentence} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {settings?.ssl ? <CertificateProblem settings={settings} now={now} /> : null}
      <SslSwitch
        on={on}
        busy={busy}
        may={changes}
        obstacle={settings ? findObstacle(settings) : null}
        onToggle={(wanted) => void toggle(wanted)}
        checkAgain={foreign ? null : checkAgain}
      />
      {settings?.expires ? <Certificate settings={settings} now={now} siteId={siteId} renew={renewNow} /> : null}
      {settings && rows.length > 0 ? (
        <Names siteId={siteId} rows={rows} records={needsRecords(settings)} aside={on === false ? undefined : checkAgain} />
      ) : null}
    </>
  )
}

type NamesProps = {
  siteId: string
  rows: readonly NameRow[]
  /** A DNS record may be missing. */
  records: boolean
  aside: ReactNode
}

const few = 8

/** The names of a site: in the certificate or not, and what a certificate authority would find now. */
function Names({ siteId, rows, records, aside }: NamesProps) {
  const collection = useCollection(rows.length > few ? manyNames : fewNames, rows)
  const columns = useMemo(() => nameColumns(rows), [rows])
  return (
    <Collection
      collection={collection}
      columns={columns}
      aside={aside}
      title="Names"
      before={records ? <ServerRecord siteId={siteId} /> : undefined}
      empty={null}
    />
  )
}

/** Where the names should point. The settings of a site don't contain that. */
function ServerRecord({ siteId }: { siteId: string }) {
  const { data } = useOperation('sites.summary', { siteId }, { everyMs: 300_000 })
  const item = data?.item[0]
  return <ExpectedRecord address={item?.expected?.A || item?.server.ip || ''} noun="name" />
}

/** now: ms since 1970. */
type Present = { settings: SslSettings; now: number }

/** How long the certificate lasts, and what it covers. */
function Certificate({
  settings: { ssl, expires = '', issued = '', covered = [], left_out = [], hsts },
  now,
  siteId,
  renew,
}: Present & { siteId: string; renew: ReactNode }) {
  const all = covered.length + left_out.length
  return (
    <Section title="Certificate" aside={ssl ? renew : <p className="text-small text-muted">Kept while SSL is off</p>}>
      <Facts
        facts={[
          { label: 'Expires', value: '', control: <Day at={expires} over={isExpired(expires, now)} /> },
          { label: 'Last renewed', value: '', control: issued === '' ? null : <Day at={issued} /> },
          { label: 'Names covered', value: covered.length === 0 ? '' : `${covered.length} of ${all}` },
          ...(ssl && hsts ? [{ label: 'HSTS', value: '', control: <Hsts siteId={siteId} seconds={hsts} /> }] : []),
        ]}
      />
    </Section>
  )
}

const Hsts = ({ siteId, seconds }: { siteId: string; seconds: string }) => (
  <span>
    {ageOf(seconds).label}.{' '}
    <Link
      href={`/sites/${siteId}/settings`}
      className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover"
    >
      Change in Settings
    </Link>
  </span>
)

/** The day, and how far away it is. A service may send something else than a time. */
const Day = ({ at, over = false }: { at: string; over?: boolean }) => (
  <span className={over ? 'text-danger' : undefined}>
    {formatExpiry(at)}
    {Number.isNaN(Date.parse(at)) ? null : (
      <>
        , <RelativeTime at={at} />
      </>
    )}
  </span>
)

/** Why SSL does not work, or soon will not. */
function CertificateProblem({ settings: { expires = '', problem }, now }: Present) {
  if (isExpired(expires, now)) {
    return (
      <Notice tone="danger" title="The certificate has expired, so browsers warn visitors.">
        {problem}
      </Notice>
    )
  }
  return problem ? (
    <Notice tone="warn" title="The certificate could not be renewed.">
      {problem}
    </Notice>
  ) : null
}

/** Whether a new certificate could be better than the present one. */
const mayNeedRenewal = ({ expires = '', problem, left_out = [] }: SslSettings, now: number): boolean =>
  isExpired(expires, now) || Boolean(problem) || left_out.length > 0

// Not sorted by a column, the names that need something come first.
const query = defineQuery({ columns: ['', 'name', 'certificate', 'check'], defaultColumn: '', facets: [], flags: {} })

/** A few names need no search. */
const fewNames: CollectionKind<NameRow, typeof query.whole> = {
  noun: 'name',
  label: 'Names',
  query,
  nameOf: ({ id }) => toReadableDomain(id),
  selectLabel: ({ id }) => `Select ${toReadableDomain(id)}`,
  selectAllLabel: 'Select all names',
  searched: ({ id, reasons }) => [id, toReadableDomain(id), ...reasons],
  sortTexts: { name: ({ id }) => toReadableDomain(id), certificate: ({ certificate }) => certificate, check: ({ check }) => check },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching names', description: 'All words must match.' },
}

const manyNames: typeof fewNames = { ...fewNames, searchHint: 'Filter by name or reason' }

const certificateChips = {
  covered: { tone: 'ok', label: 'Covered' },
  'left-out': { tone: 'warn', label: 'Left out' },
} as const

const checkChips = {
  ready: { tone: 'ok', label: 'Ready' },
  warning: { tone: 'warn', label: 'Warning' },
  blocked: { tone: 'danger', label: 'Blocked' },
} as const

const inCertificate = ({ certificate }: NameRow) => (certificate === '' ? null : <StateChip {...certificateChips[certificate]} />)

const checked = ({ check }: NameRow) => (check === '' ? null : <StateChip {...checkChips[check]} />)

const explained = ({ reasons }: NameRow) =>
  reasons.length === 0 ? null : (
    <span className="flex flex-col gap-1 text-muted">
      {reasons.map((reason) => (
        <span key={reason}>{reason}</span>
      ))}
    </span>
  )

const nameColumn: Column<NameRow> = {
  id: 'name',
  label: 'Name',
  minWidth: 200,
  grows: true,
  main: true,
  sortable: true,
  cell: ({ id }) => <Domain domain={id} />,
  title: ({ id }) => titleOfDomain(id),
}

const detailColumns: readonly (Column<NameRow> & { has: (row: NameRow) => boolean })[] = [
  {
    id: 'certificate',
    label: 'Certificate',
    minWidth: 124,
    leaves: 2,
    sortable: true,
    cell: inCertificate,
    folded: inCertificate,
    has: ({ certificate }) => certificate !== '',
  },
  {
    id: 'check',
    label: 'Check',
    minWidth: 116,
    leaves: 3,
    sortable: true,
    cell: checked,
    folded: checked,
    has: ({ check }) => check !== '',
  },
  {
    id: 'reason',
    label: 'Reason',
    minWidth: 280,
    grows: true,
    leaves: 1,
    cell: explained,
    folded: explained,
    has: ({ reasons }) => reasons.length > 0,
  },
]

/** Only those that any of the names has something in. */
const nameColumns = (rows: readonly NameRow[]): readonly Column<NameRow>[] => [
  nameColumn,
  ...detailColumns.filter(({ has }) => rows.some(has)),
]
