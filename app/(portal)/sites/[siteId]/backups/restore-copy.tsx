'use client'

import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import type { StartedChange } from '@/app/_shared/sites/use-site-change'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import type { CopyView } from '@/lib/portal/subjects/backup-targets/copies'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { restoreFromCopy } from './actions'
import { BackupFirst } from './restore-backup'

/** busy: the site is changed meanwhile. starting: the reads that show a new job. */
export type RestoreStart = { busy: boolean; starting: readonly AnyRead[]; onStarted: (started: StartedChange) => void }

/** label: of its backup target. */
export type ChosenCopy = { copy: CopyView; label: string }

type RestoreCopyProps = {
  site: SiteRow
  /** Null while none is chosen. */
  chosen: ChosenCopy | null
  restore: RestoreStart
  onClose: () => void
}

/** Says what a restore from a copy replaces, and asks for the domain. */
export function RestoreCopy({ site: { id, domain }, chosen, restore, onClose }: RestoreCopyProps) {
  if (!chosen) return null
  const { copy, label } = chosen
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Restore copy"
      description={
        <>
          <p>
            The files and the database of <strong className="font-semibold text-ink wrap-anywhere">{toReadableDomain(domain)}</strong> are
            replaced by this copy. Anything changed since then is lost from the site.
          </p>
          <p className="mt-2 rounded-control bg-sunken px-2.5 py-2 text-ink">
            <span className="font-semibold wrap-anywhere">{copy.backup}</span>
            <span className="block text-small text-muted">
              {label} · {formatSize(String(copy.bytes))} · <RelativeTime at={copy.at} />
            </span>
          </p>
          <p className="mt-2">
            The server fetches the backup, which stays there, and then restores it. The current site stays online until the backup is ready,
            then is unavailable for a few seconds. The replaced site is kept on the server for 24 hours.
          </p>
        </>
      }
      name={domain}
      action={restoreFromCopy}
      target={{ siteId: id, copyId: copy.id }}
      refetch={restore.starting}
      pendingLabel="Starting…"
      onDone={(data) => {
        onClose()
        restore.onStarted(data)
      }}
    >
      <BackupFirst />
    </ConfirmDestroy>
  )
}
