'use client'

import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { TakenAliases } from '@/app/_shared/sites/taken-aliases'
import type { StartedChange } from '@/app/_shared/sites/use-site-change'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { restoreBackup } from './actions'
import type { Backup, Made } from './backup'

type RestoreBackupProps = {
  site: SiteRow
  /** The one to restore; null while none is chosen. */
  chosen: { title: string; backup: Backup; made: Made } | null
  /** The reads that show a new job. */
  refetch: readonly AnyRead[]
  onClose: () => void
  onStarted: (started: StartedChange) => void
}

/** Says what a restore replaces, offers a backup of it first, and asks for the domain. */
export function RestoreBackup({ site, chosen, refetch, onClose, onStarted }: RestoreBackupProps) {
  const { id, domain, extensions } = site
  if (!chosen) return null
  const { title, backup, made } = chosen
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Restore backup"
      description={
        <>
          <p>
            The files and the database of <strong className="font-semibold text-ink wrap-anywhere">{toReadableDomain(domain)}</strong> are
            replaced by this backup. Anything changed since then is lost{extensions ? ' from the site' : ''}.
          </p>
          <p className="mt-2 rounded-control bg-sunken px-2.5 py-2 text-ink">
            <span className="font-semibold wrap-anywhere">{title}</span>
            <span className="block text-small text-muted">
              {formatSize(String(backup.size))}, {made.at === null ? backup.date || 'date unknown' : <RelativeTime at={made.at} />}
              {backup.proven === false ? ', not verified' : ''}
            </span>
            {title === backup.name ? null : <span className="block font-mono text-code text-muted wrap-anywhere">{backup.name}</span>}
          </p>
          <TakenAliases taken={backup.taken} />
          <p className="mt-2">
            {extensions
              ? 'The current site stays online until the backup is ready, then is unavailable for a few seconds. The replaced site is kept on the server for 24 hours. Names, SSL, email and settings stay, unless the site was created again since the backup: then they come back too, and the last line of the job says what does not.'
              : 'The service decides whether the site stays online meanwhile, and whether the replaced site is kept.'}
          </p>
        </>
      }
      name={domain}
      action={restoreBackup}
      target={{ siteId: id, restore: backup.name }}
      refetch={refetch}
      pendingLabel="Starting…"
      onDone={(data) => {
        onClose()
        onStarted(data)
      }}
    >
      {extensions ? <BackupFirst /> : null}
    </ConfirmDestroy>
  )
}

/** Only services that announce extensions offer it. */
export const BackupFirst = () => (
  <label className="flex items-start gap-2">
    <input type="checkbox" name="backup_first" value="1" defaultChecked className="mt-0.5 size-4 shrink-0 accent-accent" />
    <span>
      Back up the current site first
      <span className="block text-small text-muted">Kept for 7 days. If this backup fails, nothing is restored.</span>
    </span>
  </label>
)
