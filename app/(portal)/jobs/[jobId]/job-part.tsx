'use client'

import { useRouter } from 'next/navigation'
import { type ComponentType, useEffect } from 'react'
import { StopFollowing, TryAgain } from '@/app/_shared/jobs/job-buttons'
import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { jobStates } from '@/app/_shared/jobs/job-state'
import { portalRead } from '@/app/_shared/reads/read-address'
import { useRead } from '@/app/_shared/reads/use-read'
import { isPasswordOfUse, NewPasswordNotice, nameNewSite, useNewSite } from '@/app/_shared/sites/new-sites'
import { creation, deletion, onPage, SiteJob, type SiteJobKind, type SiteJobProps } from '@/app/_shared/sites/site-job'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { JobOperationId } from '@/lib/portal/jobs/event-kinds'
import { type JobPartProps, RevertJob, UpdatesJob, UpgradeJob } from './update-jobs'

/** What the page of a job shows below its title. */
export function JobPart(props: JobPartProps) {
  const { operation } = props.job
  const Part = operation === null ? UnknownJob : parts[operation]
  return <Part {...props} />
}

const ofSite = (kind: SiteJobKind) => (props: JobPartProps) => <SiteJob {...props} kind={kind} />

const aliasWords = {
  done: (domain: string) => `The aliases of ${domain} were changed.`,
  failed: 'Check the list of aliases before you try again.',
  open: 'The change may still be made. The list of aliases shows the outcome.',
}

const parts: { readonly [Id in JobOperationId]: ComponentType<JobPartProps> } = {
  'servers.install': InstallJob,
  'servers.upgrade': UpgradeJob,
  'servers.revertUpgrade': RevertJob,
  'servers.applyUpdates': UpdatesJob,
  'sites.create': (props) => <CreationJob {...props} kind={creation} />,
  'sites.delete': ofSite(deletion),
  'ssl.set': ofSite(
    onPage('ssl', 'View SSL', {
      done: (domain) => `SSL of ${domain} was changed.`,
      failed: 'The SSL page shows what is missing, and whether SSL is on.',
      open: 'The change may still be made. The SSL page shows the outcome.',
    }),
  ),
  'sites.configure': ofSite(
    onPage('settings', 'View settings', {
      done: (domain) => `The settings of ${domain} were changed.`,
      failed: 'The page Settings shows which settings the site has now.',
      open: 'The change may still be made. The page Settings shows the outcome.',
    }),
  ),
  'email.set': ofSite(
    onPage('email', 'View email', {
      done: (domain) => `Email of ${domain} was switched.`,
      failed: 'The page Email shows whether email is on.',
      open: 'The change may still be made. The page Email shows the outcome.',
    }),
  ),
  'aliases.save': ofSite(onPage('aliases', 'View aliases', aliasWords)),
  'aliases.delete': ofSite(onPage('aliases', 'View aliases', aliasWords)),
  'apps.install': ofSite(
    onPage('app', 'View app', {
      done: (domain) => `An app was installed on ${domain}.`,
      failed: 'The page App shows whether the site has one.',
      open: 'The app may still be installed. The page App shows the outcome.',
    }),
  ),
  'apps.pull': ofSite(
    onPage('app', 'View staging', {
      done: (domain) => `${domain} was copied to staging.`,
      failed: 'Check the staging copy before you try again.',
      open: 'The copy may still be made. The page App shows the newest pull.',
    }),
  ),
  'apps.push': ofSite(
    onPage('app', 'View app', {
      done: (domain) => `${domain} was replaced by its staging copy.`,
      failed: 'Check the live site before you try again.',
      open: 'The live site may still be replaced. Check it before you try again.',
      note: 'A backup of the live site was made first:',
    }),
  ),
  'backups.create': ofSite(
    onPage('backups', 'View backups', {
      done: (domain) => `${domain} was backed up.`,
      failed: 'The page Backups shows which backups there are.',
      open: 'The backup may still be made. The page Backups shows the outcome.',
    }),
  ),
  'copies.make': ofSite(
    onPage('backups', 'View backups', {
      done: (domain) => `The newest backup of ${domain} was copied.`,
      failed: 'The page Backups shows which copies there are.',
      open: 'The copy may still be made. You can copy again: data that is there already is not sent twice.',
    }),
  ),
  'serverBackups.copy': ServerCopyJob,
  'copies.restore': ofSite(
    onPage('backups', 'View backups', {
      done: (domain) => `${domain} was restored from a copy.`,
      failed: 'Check the site before you try again.',
      open: 'The site may still be restored. Check it before you try again.',
      note: 'The site that was replaced is kept on the server for 24 hours:',
    }),
  ),
  'copies.prove': ofSite(
    onPage('backups', 'View backups', {
      done: (domain) => `${domain} could be restored from the copy.`,
      failed: 'The page Backups shows which copies there are.',
      open: 'The copy may still be proven. The page Backups shows the outcome.',
    }),
  ),
  'backups.restore': ofSite(
    onPage('backups', 'View backups', {
      done: (domain) => `${domain} was restored.`,
      failed: 'Check the site before you try again.',
      open: 'The site may still be restored. Check it before you try again.',
      note: 'The site that was replaced is kept on the server for 24 hours:',
    }),
  ),
  'sites.download': ofSite(
    onPage('backups', 'Download', {
      done: (domain) => `The archive of ${domain} was prepared. It is kept for a few minutes.`,
      failed: 'You can prepare the archive again on the page Backups.',
      open: 'You can prepare the archive again on the page Backups.',
    }),
  ),
  'event.backup': EventJob,
  'event.renewal': EventJob,
  'event.updates': EventJob,
  'event.reboot': EventJob,
}

/** What a server did by its own timers: over when Gatehouse learned of it, so there is nothing to follow or to try again. */
function EventJob({ job, lines }: JobPartProps) {
  const { tone, label } = jobStates[job.state]
  return (
    <Card className="flex flex-col items-start gap-3 px-4 py-3.5">
      <StateChip tone={tone} label={label} />
      {lines.map(({ seq, message }) => (
        <p key={seq} className="wrap-anywhere">
          {message}
        </p>
      ))}
    </Card>
  )
}

/** Any install of a server. It is tried again on the server's install page, which shows its newest install. */
function InstallJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      tryAgain={(stopped) => (
        <TryAgain
          job={stopped}
          may={may && serverId !== null}
          retry={<ButtonLink href={`/servers/${serverId}/install`}>View install</ButtonLink>}
        />
      )}
      next={() => null}
    />
  )
}

function ServerCopyJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  const page = serverId === null ? null : <ButtonLink href={`/servers/${serverId}/backups`}>View backups</ButtonLink>
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      reports={extensions}
      notes={{
        failed: 'The page Backups shows which copies there are.',
        open: 'The copy may still be made. You can copy again: data that is there already is not sent twice.',
      }}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="The page Backups shows the outcome." />}
      tryAgain={() => page}
      next={() => <Notice tone="ok" title={`The newest backup of ${job.targetName} was copied.`} action={page} />}
    />
  )
}

/** A job of an operation that only a newer version knows, as after going back to this one. Nothing is claimed about what it did. */
function UnknownJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  const { siteId } = job
  const onward =
    siteId !== null ? (
      <ButtonLink href={`/sites/${siteId}`}>View site</ButtonLink>
    ) : serverId !== null ? (
      <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>
    ) : null
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      notes={notes}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="Gatehouse cannot follow it again." />}
      tryAgain={() => onward}
      next={() => <Notice tone="ok" title={`The job on ${job.targetName} is done.`} action={onward} />}
    />
  )
}

const notes = {
  failed: 'A newer version of Gatehouse began this job. Check what it left before you start anything else.',
  open: 'A newer version of Gatehouse began this job, and this version cannot follow it. It may still be running on the server.',
}

const soonMs = 1_500
const laterMs = 15_000

/** The creation of a site, live. In the tab that began it, the site's own page takes its place as soon as there is one. */
function CreationJob(props: SiteJobProps & { kind: SiteJobKind }) {
  const { id: jobId } = props.job
  const router = useRouter()
  const created = useNewSite({ jobId })
  const { data } = useRead(portalRead('/api/jobs/[jobId]', { jobId }), {
    everyMs: (read) => (created && read?.job.state === 'running' ? soonMs : laterMs),
  })
  const siteId = data?.job.siteId ?? null
  const follows = created !== null && created.siteId === null
  useEffect(() => {
    if (!follows || siteId === null) return
    nameNewSite(jobId, siteId)
    router.replace(`/sites/${siteId}`)
  }, [follows, siteId, jobId, router])
  return (
    <>
      {created && isPasswordOfUse(data?.job.state ?? props.job.state) ? <NewPasswordNotice site={created} /> : null}
      <SiteJob {...props} />
    </>
  )
}
