'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { portalRead } from '@/app/_shared/reads/read-address'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { deleteSite } from '../actions'

/** leavesOut: the last backup, unless the user decides otherwise. */
type DeleteSiteProps = { site: SiteRow; leavesOut: boolean; open: boolean; onOpenChange: (open: boolean) => void }

/** Asks for the domain, starts the deletion, and shows its job: the site’s own page ends with it. */
export function DeleteSite({ site: { id, domain, extensions }, leavesOut, open, onOpenChange }: DeleteSiteProps) {
  const router = useRouter()
  return (
    <ConfirmDestroy
      open={open}
      onOpenChange={onOpenChange}
      title="Delete site"
      description={
        <p>
          <strong className="font-semibold text-ink wrap-anywhere">{toReadableDomain(domain)}</strong>{' '}
          {extensions
            ? 'stops answering, and its files, database and user are removed from the server, with its staging copy. This cannot be undone.'
            : 'is removed from the service, which decides what happens to its files and database. This cannot be undone.'}
        </p>
      }
      name={domain}
      action={deleteSite}
      target={{ siteId: id }}
      refetch={[portalRead('/api/jobs')]}
      pendingLabel="Starting…"
      onDone={({ jobId }) => router.push(jobId === undefined ? '/sites' : `/jobs/${jobId}`)}
    >
      {extensions ? <WithoutBackup leavesOut={leavesOut} /> : null}
      <StepUpField />
    </ConfirmDestroy>
  )
}

/** For a server without room for one. Only services that announce extensions make a last backup. */
const WithoutBackup = ({ leavesOut }: { leavesOut: boolean }) => (
  <label className="flex items-start gap-2">
    <input type="checkbox" name="without_backup" value="1" defaultChecked={leavesOut} className="mt-0.5 size-4 shrink-0 accent-accent" />
    <span>
      Delete without a last backup
      <span className="block text-small text-muted">Otherwise a backup is made first, and kept on the server.</span>
    </span>
  </label>
)
