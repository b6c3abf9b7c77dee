'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useNewestJob } from '@/app/_shared/jobs/use-job'
import { isOffered } from '@/app/_shared/reads/read'
import { portalRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { isPasswordOfUse, NewPasswordNotice, type NewSite as NewSiteOfTab, useNewSite } from '@/app/_shared/sites/new-sites'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { withoutBackup } from '@/app/_shared/sites/site-job'
import { formatExpiry, formatSsl, isExpired } from '@/app/_shared/sites/site-state'
import { ButtonLink } from '@/app/_ui/button'
import { useDrawnNow } from '@/app/_ui/clock'
import { EarlyButton } from '@/app/_ui/early-button'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { Card, Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import { Skeleton } from '@/app/_ui/skeleton'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { DeleteSite } from './delete-site'
import { DnsRecords } from './dns-records'
import { SftpKeys } from './sftp-keys'
import { type Seen, StateBoard } from './state-board'
import { type Traffic, TrafficChart } from './traffic-chart'
import { Upload } from './upload'

/** The answer of sites.summary. */
type Summary = Answer<typeof sites.summary>

/** job: that created it. changes: the last ones. The others: whether the reader may set the password for uploads, and read and change the SFTP keys. */
type Extra = {
  site: SiteRow
  job: JobView | null
  seen: Seen
  changes: ReactNode
  mayUpload: boolean
  seesKeys: boolean
  mayChangeKeys: boolean
}

/** The site as it is now: its state and visitors, then DNS, how to upload files, its facts, and its deletion. Read every 30 s while the page is visible. */
export function Overview({ id, name, first, may, extra }: SubjectViewProps<Summary, Extra>) {
  const summary = useOperation('sites.summary', { siteId: id }, { first, everyMs: 30_000 })
  const now = useDrawnNow(60_000)
  const foreign = useForeign()
  const item = summary.data?.item[0]
  if (!extra) return null
  const { site, job, seen, changes, mayUpload, seesKeys, mayChangeKeys } = extra
  const isGone = summary.problem?.code === 'not_found'
  const creation = <NewSite site={site} job={job} />
  // A creation that failed says so.
  if (isGone) return job && job.state !== 'done' ? creation : <Gone />
  const usage = item?.disk_usage ?? site.usage
  return (
    <>
      {creation}
      <ReadError read={summary} nothingRead={`${name} could not be read. The last known details are below.`} />
      {site.deletingJobId === null ? null : (
        <Notice
          tone="info"
          title="This site is being deleted."
          action={<ButtonLink href={`/jobs/${site.deletingJobId}`}>View job</ButtonLink>}
        />
      )}
      {job && job.state !== 'done' && site.state === 'creating' ? null : (
        <State site={site} state={item?.state ?? site.state} seen={seen} may={may} changes={changes} />
      )}
      <DnsRecords item={item} site={site} />
      {item?.user ? (
        <Upload site={site} user={item.user} root={item.root ?? ''} ip={item.server.ip} may={mayUpload && site.deletingJobId === null} />
      ) : null}
      {item?.user && !foreign && seesKeys ? (
        <SftpKeys siteId={id} user={item.user} may={mayChangeKeys && site.deletingJobId === null} />
      ) : null}
      <Section title="Details">
        <Facts
          facts={[
            { label: 'Usage', value: formatSize(usage) },
            { label: 'SSL', value: formatCertificate(site, now) },
            { label: 'Server address', value: item?.server.ip ?? '', code: true },
            { label: 'DNS provider', value: item?.server.dns ?? '' },
            { label: 'Service', value: site.connectionLabel },
            { label: 'Activity', value: 'View', control: <ActivityLink domain={name} /> },
          ]}
        />
      </Section>
      {may && site.deletingJobId === null ? <DangerZone site={site} /> : null}
    </>
  )
}

type StateProps = { site: SiteRow; state: string; seen: Seen; may: boolean; changes: ReactNode }

function State({ seen, changes, ...board }: StateProps) {
  if (!seen.traffic) return <StateAndChanges {...board} seen={seen} traffic={null} changes={changes} />
  return <WithTraffic {...board} seen={seen} changes={changes} />
}

function WithTraffic(props: StateProps) {
  const read = useOperation('sites.traffic', { siteId: props.site.id }, { everyMs: 60_000 })
  // A service of an earlier version does not count requests.
  const isUnknown = read.data === null && read.problem !== null && !isOffered({ ok: false, problem: read.problem })
  const traffic = read.data?.item[0] ?? null
  return (
    <StateAndChanges {...props} traffic={traffic}>
      {isUnknown ? null : (
        <Section title="Last 24 hours">
          <ReadError read={read} nothingRead="The requests of this site could not be counted." />
          {traffic ? <TrafficChart traffic={traffic} /> : read.problem ? null : <Skeleton className="h-[158px] w-full" />}
        </Section>
      )}
    </StateAndChanges>
  )
}

type StateAndChangesProps = StateProps & { traffic: Traffic | null; children?: ReactNode }

const StateAndChanges = ({ changes, children, ...board }: StateAndChangesProps) => (
  <>
    <StateBoard {...board} />
    {children}
    {changes}
  </>
)

function formatCertificate({ ssl, expires }: SiteRow, now: number): string {
  if (ssl === '') return ''
  if (ssl !== 'on' || expires === '') return formatSsl(ssl)
  return isExpired(expires, now) ? `Expired ${formatExpiry(expires)}` : `On, until ${formatExpiry(expires)}`
}

const ActivityLink = ({ domain }: { domain: string }) => (
  <Link
    href={`/activity?target=${encodeURIComponent(domain)}`}
    className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover"
  >
    View activity
  </Link>
)

const Gone = () => (
  <Notice tone="info" title="This site no longer exists." action={<ButtonLink href="/sites">View sites</ButtonLink>}>
    Someone deleted it, here or at the service.
  </Notice>
)

/** Irreversible actions come last. */
function DangerZone({ site }: { site: SiteRow }) {
  const [deleting, setDeleting] = useState(false)
  const [leavesOut, setLeavesOut] = useState(false)
  useEffect(() => {
    if (location.hash !== `#${withoutBackup}`) return
    // Once: not again with each reload.
    history.replaceState(history.state, '', location.pathname)
    setLeavesOut(true)
    setDeleting(true)
  }, [])
  return (
    <Section title="Delete">
      <Card className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {site.extensions
            ? 'Removes the site’s files, database, user and configuration from the server. A last backup is made first.'
            : 'Removes the site from the service. The service decides what happens to its files and database.'}
        </p>
        <EarlyButton id="delete-site" variant="danger" onClick={() => setDeleting(true)}>
          Delete site
        </EarlyButton>
      </Card>
      <DeleteSite site={site} leavesOut={leavesOut} open={deleting} onOpenChange={setDeleting} />
    </Section>
  )
}

type NewSiteProps = { site: SiteRow; job: JobView | null }

/** The creation of the site: its password and its end in the tab that began it, and its progress for everybody. Not watched once it is over. */
function NewSite({ site, job }: NewSiteProps) {
  const created = useNewSite({ siteId: site.id })
  if (created || job?.endedAt === null) return <Watched site={site} job={job} created={created} />
  return job ? <NewestChange job={job} /> : null
}

function Watched({ site: { id, domain }, job: rendered, created }: NewSiteProps & { created: NewSiteOfTab | null }) {
  const job = useNewestJob(portalRead('/api/jobs', { site: id, operation: 'sites.create' }), rendered)
  return (
    <>
      {created && isPasswordOfUse(job?.state ?? 'running') ? <NewPasswordNotice site={created} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {created && job?.state === 'done' ? (
        <Notice
          tone="ok"
          title={`${toReadableDomain(domain)} was created.`}
          action={<ButtonLink href={`/jobs/${job.id}`}>View log</ButtonLink>}
        >
          Point the domain’s A record to the server, then upload its files.
        </Notice>
      ) : null}
    </>
  )
}
