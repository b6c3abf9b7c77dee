'use client'

import { StartButton } from '@/app/_shared/forms/start-button'
import { portalRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useRead } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { useSiteChange } from '@/app/_shared/sites/use-site-change'
import { ButtonAnchor } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { formatDuration } from '@/app/_ui/dates'
import { Card, Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import type { JobView } from '@/lib/portal/jobs/view'
import type { ArchiveView } from '@/lib/portal/subjects/archives/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { prepareArchive } from './actions'

const sectionId = 'download-archive'

/** prepared: the newest job that prepared an archive. */
type DownloadProps = { site: SiteRow; prepared: JobView | null }

/** The site as it is now, as one file: prepared as a job, then downloaded within minutes. For those who may export. */
export function Download({ site: { id: siteId, domain, extensions }, prepared }: DownloadProps) {
  const { job, busy, starting, during, follow } = useSiteChange('sites.download', siteId, prepared, sectionId, [])
  return (
    <Section title="Download">
      {job ? <NewestChange job={job} /> : null}
      <Card id={sectionId} tabIndex={-1} className="flex flex-wrap items-center justify-between gap-4 p-4 outline-none">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {extensions
            ? `An archive of ${toReadableDomain(domain)} as it is now: its files and its database. It is deleted after 15 minutes, or once you have downloaded it.`
            : `An archive of ${toReadableDomain(domain)}. The service decides what is in it, and how long it is kept.`}
        </p>
        <StartButton
          action={prepareArchive}
          target={{ siteId }}
          label="Prepare archive"
          variant="outline"
          refusal={busy ? 'The archive is being prepared.' : undefined}
          refetch={starting}
          onDone={(started) => void during(() => follow(started, 'The archive is ready to download.'))}
        />
        {job?.state === 'done' ? <Archive key={job.id} job={job} /> : null}
      </Card>
    </Section>
  )
}

/** What became of the newest archive. */
function Archive({ job }: { job: JobView }) {
  const read = useRead(portalRead('/api/jobs/[jobId]/archive', { jobId: job.id }), {
    everyMs: (known) => (known?.state === 'ready' ? 5_000 : 60_000),
  })
  const archive = read.data
  return (
    <div className="flex basis-full flex-col gap-2 border-t border-line pt-3">
      <ReadError read={read} nothingRead="The state of the archive could not be read." />
      {archive?.state === 'ready' ? <Ready jobId={job.id} archive={archive} /> : null}
      {archive && archive.state !== 'ready' ? <p className="text-muted">{sentences(job)[archive.state]}</p> : null}
    </div>
  )
}

const sentences = ({ startedBy }: JobView) => ({
  taken: 'The archive was downloaded.',
  gone: 'The last archive is no longer available.',
  withheld: 'The service gave a link that Gatehouse cannot follow. Whoever keeps the connection can prepare and open one.',
  theirs: `${startedBy || 'A former member'} prepared an archive. Nobody else can download it.`,
})

type ReadyArchive = Extract<ArchiveView, { state: 'ready' }>

function Ready({ jobId, archive: { size, expires, link, ...why } }: { jobId: string; archive: ReadyArchive }) {
  const now = useNow(1000)
  const left = expires === null || now === null ? null : Date.parse(expires) - now
  if (left !== null && left <= 0) return <p className="text-muted">The archive has expired. Prepare a new one.</p>
  const facts = [size === null ? '' : formatSize(String(size)), left === null ? '' : `${formatDuration(left)} left`].filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {link === null ? (
        <ButtonAnchor href={`/api/jobs/${encodeURIComponent(jobId)}/archive/file`} download>
          Download archive
        </ButtonAnchor>
      ) : (
        <ButtonAnchor href={link} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
          Open link
        </ButtonAnchor>
      )}
      {facts.length > 0 ? <p className="text-muted">{facts.join(' · ')}</p> : null}
      {link === null ? null : <p className="basis-full text-small text-muted wrap-anywhere">{describeLink({ link, ...why })}</p>}
    </div>
  )
}

type ShownLink = Pick<Extract<ArchiveView, { state: 'ready' }>, 'elsewhere' | 'login'> & { link: string }

/** Why the browser opens the link of an archive, and what that sends where. */
export function describeLink({ link, elsewhere, login }: ShownLink): string {
  const { host } = new URL(link)
  if (!elsewhere)
    return `The link contains a login, so Gatehouse does not fetch it. Your browser fetches it and sends the login to ${host}.`
  const sends = login ? ' and sends the login in the link' : ''
  return `The archive is at ${host}, from where Gatehouse does not fetch it. Your browser does${sends}.`
}
