'use client'

import type { ReactNode } from 'react'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { ButtonLink } from '../../_ui/button'
import { Notice } from '../../_ui/notice'
import { JobProgress } from '../jobs/job-progress'
import { StopFollowing } from '../jobs/stop-following'

type SiteJobProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** The service announces extensions: it reports steps, and never does the same work twice. */
  extensions: boolean
  /** May create and delete sites. */
  may: boolean
  /** Default: a link to the page where the work starts. */
  retry?: ReactNode
}

/** The creation or deletion of a site, or a change of its aliases or SSL, live. */
export function SiteJob({ job, lines, extensions, may, retry }: SiteJobProps) {
  const { notes, next } = kindOf(job, extensions)
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      stop={
        <StopFollowing jobId={job.id} noun="job" may={may} again="Gatehouse cannot follow it again; the list of sites shows its outcome." />
      }
      reports={extensions}
      notes={notes}
      tryAgain={may ? (retry ?? <StartPage job={job} />) : null}
      next={next}
    />
  )
}

function kindOf({ operation }: JobView, extensions: boolean) {
  if (operation === 'sites.create') return { notes: creationNotes(extensions), next: created }
  if (operation === 'sites.delete') return { notes: deletionNotes(extensions), next: deleted }
  return operation === 'ssl.set' ? { notes: sslNotes, next: secured } : { notes: aliasNotes, next: renamed }
}

function StartPage({ job }: { job: JobView }) {
  if (job.operation === 'sites.create') return <ButtonLink href={retryAddress(job)}>Try again</ButtonLink>
  if (job.operation === 'sites.delete') return <ButtonLink href={siteAddress(job)}>View site</ButtonLink>
  return job.operation === 'ssl.set' ? <SslLink job={job} /> : <AliasesLink job={job} />
}

const AliasesLink = ({ job }: { job: JobView }) => (
  <ButtonLink href={job.siteId === null ? '/sites' : `${siteAddress(job)}/aliases`}>View aliases</ButtonLink>
)

const SslLink = ({ job }: { job: JobView }) => (
  <ButtonLink href={job.siteId === null ? '/sites' : `${siteAddress(job)}/ssl`}>View SSL</ButtonLink>
)

const siteAddress = ({ siteId }: JobView): string => (siteId === null ? '/sites' : `/sites/${siteId}`)

const retryAddress = ({ serverId, targetName }: JobView): string =>
  `/sites/new?${new URLSearchParams({ ...(serverId !== null && { server: serverId }), domain: targetName })}`

function created(job: JobView) {
  const domain = toReadableDomain(job.targetName)
  return (
    <Notice
      tone="ok"
      title={`${domain} was created.`}
      action={
        <ButtonLink href={siteAddress(job)} variant="primary">
          {job.siteId === null ? 'View sites' : `Open ${domain}`}
        </ButtonLink>
      }
    >
      Point the domain’s A record to the server, then upload its files.
    </Notice>
  )
}

function deleted({ targetName, note }: JobView) {
  return (
    <Notice tone="ok" title={`${toReadableDomain(targetName)} was deleted.`} action={<ButtonLink href="/sites">View sites</ButtonLink>}>
      {note === '' ? null : (
        <>
          Its last backup on the server: <code className="font-mono text-code break-all">{note}</code>
        </>
      )}
    </Notice>
  )
}

const renamed = (job: JobView) => (
  <Notice tone="ok" title={`The aliases of ${toReadableDomain(job.targetName)} were changed.`} action={<AliasesLink job={job} />} />
)

const secured = (job: JobView) => (
  <Notice tone="ok" title={`SSL of ${toReadableDomain(job.targetName)} was changed.`} action={<SslLink job={job} />} />
)

const sslNotes = {
  failed: 'The SSL page shows what is missing, and whether SSL is on.',
  open: 'The change may still be made. The SSL page shows the outcome.',
}

const aliasNotes = {
  failed: 'Check the list of aliases before you try again.',
  open: 'The change may still be made. The list of aliases shows the outcome.',
}

const creationNotes = (extensions: boolean) =>
  extensions
    ? {
        failed: 'Nothing of the site was left on the server. You can try again.',
        open: 'The site may still be created. Check the list of sites before you try again.',
      }
    : {
        failed: 'Check the list of sites before you try again: the service decides what is left of the site.',
        open: 'The service may still create the site. Check the list of sites before you try again.',
      }

const deletionNotes = (extensions: boolean) =>
  extensions
    ? {
        failed: 'The log names the step that failed. You can delete the site again.',
        open: 'The site may still be deleted. The list of sites shows the outcome within a minute or two.',
      }
    : {
        failed: 'The service decides what is left of the site. You can delete it again.',
        open: 'The service may still delete the site. The list of sites shows the outcome within a minute or two.',
      }
