'use client'

import type { ComponentType } from 'react'
import { creation, deletion, onPage, SiteJob, type SiteJobKind } from '@/app/_shared/sites/site-job'
import type { JobOperationId } from '@/lib/portal/jobs/event-kinds'
import { CreationJob } from './creation-job'
import { EventJob } from './event-job'
import { InstallJob } from './install-job'
import type { JobPartProps } from './job-part-props'
import { UnknownJob } from './unknown-job'
import { UpdatesJob } from './updates-job'
import { RevertJob, UpgradeJob } from './upgrade-job'

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
      open: 'The copy may still be made. Copy again to be sure: what is there already is not sent twice.',
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
