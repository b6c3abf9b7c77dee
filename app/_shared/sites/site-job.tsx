'use client'

import type { ReactNode } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { cancelJob } from '@/app/_shared/jobs/actions'
import { AskedAction } from '@/app/_shared/jobs/asked-action'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { ButtonLink } from '../../_ui/button'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { StopFollowing, TryAgain } from '../jobs/job-buttons'
import { JobProgress } from '../jobs/job-progress'

export type SiteJobProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** The service announces extensions: it reports steps, and never does the same work twice. */
  extensions: boolean
  /** May create and delete sites. */
  may: boolean
}

/** The creation or deletion of a site, or another slow change of it, live. */
export function SiteJob({ job, lines, extensions, may, kind: { notes, again, next } }: SiteJobProps & { kind: SiteJobKind }) {
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      stop={
        <span className="flex flex-wrap gap-2">
          {extensions ? <CancelJob jobId={job.id} may={may} /> : null}
          <StopFollowing
            jobId={job.id}
            noun="job"
            may={may}
            again="Gatehouse cannot follow it again; the list of sites shows its outcome."
          />
        </span>
      }
      reports={extensions}
      notes={notes(extensions)}
      tryAgain={(stopped) => (
        <TryAgain job={stopped} may={may}>
          {may ? <PageLink {...again(stopped)} /> : null}
        </TryAgain>
      )}
      next={next}
    />
  )
}

/** As the bundled service names it. */
const backupStep = 'Last backup'

export type SiteJobKind = {
  /** What is left after a failure, and while the outcome is not known. */
  notes: (extensions: boolean) => { failed: string; open: string }
  /** Where a failed job is started again. */
  again: (job: JobView) => { href: string; label: string }
  /** Shown once it is done. */
  next: (job: JobView) => ReactNode
}

export const creation: SiteJobKind = {
  notes: creationNotes,
  again: (job) => ({ href: retryAddress(job), label: 'Try again' }),
  next: created,
}

export const deletion: SiteJobKind = {
  notes: deletionNotes,
  again: deletionAgain,
  next: deleted,
}

/** note: introduces the note on the job, the name of what the service made or kept. */
type Words = { done: (domain: string) => string; failed: string; open: string; note?: string }

/** A job that is started on a page of the site, which shows its outcome. */
export function onPage(page: string, label: string, { done, note, ...notes }: Words): SiteJobKind {
  const again = (job: JobView) => ({ href: job.siteId === null ? '/sites' : `${siteAddress(job)}/${page}`, label })
  return {
    notes: () => notes,
    again,
    next: (job) => (
      <Notice tone="ok" title={done(toReadableDomain(job.targetName))} action={<PageLink {...again(job)} />}>
        {job.note === '' || !note ? null : <Named says={note} name={job.note} />}
        {job.credentialsFor === null ? null : <p>The page App shows the sign-in details once, to the member who received them.</p>}
      </Notice>
    ),
  }
}

const Named = ({ says, name }: { says: string; name: string }) => (
  <p>
    {says} <code className="font-mono text-code break-all">{name}</code>
  </p>
)

/** A last backup that cannot be made, as without room, need not keep the site. */
function deletionAgain(job: JobView) {
  return job.step === backupStep && job.siteId !== null
    ? { href: `${siteAddress(job)}#${withoutBackup}`, label: 'Delete without a last backup' }
    : { href: siteAddress(job), label: 'View site' }
}

const PageLink = ({ href, label }: { href: string; label: string }) => <ButtonLink href={href}>{label}</ButtonLink>

function siteAddress({ siteId }: JobView): string {
  return siteId === null ? '/sites' : `/sites/${siteId}`
}

function retryAddress({ serverId, targetName }: JobView): string {
  return `/sites/new?${new URLSearchParams({ ...(serverId !== null && { server: serverId }), domain: targetName })}`
}

function created(job: JobView) {
  const domain = toReadableDomain(job.targetName)
  return (
    <Notice
      tone="ok"
      title={`${domain} was created.`}
      action={
        <ButtonLink href={siteAddress(job)} variant="primary">
          {job.siteId === null ? 'View sites' : 'Open site'}
        </ButtonLink>
      }
    >
      Point the domain’s A record to the server, then upload its files.
    </Notice>
  )
}

function deleted({ targetName, note, serverId }: JobView) {
  return (
    <Notice tone="ok" title={`${toReadableDomain(targetName)} was deleted.`} action={<ButtonLink href="/sites">View sites</ButtonLink>}>
      {note === '' ? null : <Named says="Its last backup on the server:" name={note} />}
      {note === '' || serverId === null ? null : (
        <p>
          It is kept for 7 days.{' '}
          <Link href={`/servers/${serverId}/backups`} className="font-semibold underline">
            Restore it from the server’s backups
          </Link>
        </p>
      )}
    </Notice>
  )
}

function creationNotes(extensions: boolean) {
  return extensions
    ? {
        failed: 'Check the list of sites before you try again.',
        open: 'The site may still be created. Check the list of sites before you try again.',
      }
    : {
        failed: 'Check the list of sites before you try again: the service decides what is left of the site.',
        open: 'The service may still create the site. Check the list of sites before you try again.',
      }
}

function deletionNotes(extensions: boolean) {
  return extensions
    ? {
        failed: 'The log names the step that failed. You can delete the site again.',
        open: 'The site may still be deleted. The list of sites shows the outcome within a minute or two.',
      }
    : {
        failed: 'The service decides what is left of the site. You can delete it again.',
        open: 'The service may still delete the site. The list of sites shows the outcome within a minute or two.',
      }
}

type CancelJobProps = { jobId: string; may: boolean }

/** Cancels work on a site, after asking. Only services with extensions offer it. */
function CancelJob({ jobId, may }: CancelJobProps) {
  return (
    <AskedAction
      label="Cancel job"
      title="Cancel this job?"
      description="It ends before its next step, or at once while it only prepares something. What it has done until then is taken back. If it is past the point until which that is possible, it continues."
      keep="Let it run"
      may={may}
      confirm={(close) => (
        <StartButton
          action={cancelJob}
          target={{ jobId }}
          label="Cancel job"
          variant="warn-solid"
          message={() => 'The job is being cancelled.'}
          onDone={close}
        />
      )}
    />
  )
}

/** In the address of a site: its deletion is asked about, with the last backup left out. */
export const withoutBackup = 'delete-without-backup'
