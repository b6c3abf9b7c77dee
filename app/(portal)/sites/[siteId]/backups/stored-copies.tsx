'use client'

import { Button } from '@/app/_ui/button'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import type { CopyView, SiteCopies } from '@/lib/portal/subjects/backup-targets/copies'

type StoredCopiesProps = {
  copies: SiteCopies
  /** The site is changed meanwhile. */
  busy: boolean
  onRestore: (copy: CopyView) => void
}

/** The copies at one backup target from which the site can be restored. */
export function StoredCopies({ copies: { label, restorable }, busy, onRestore }: StoredCopiesProps) {
  return (
    <ul aria-label={`Copies in ${label}`} className="flex basis-full flex-col gap-1">
      {restorable.map((copy) => (
        <li key={copy.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-64 text-small wrap-anywhere text-muted">
            <RelativeTime at={copy.at} /> · {formatSize(String(copy.bytes))} · {copy.backup}
          </span>
          <Button variant="ghost" disabled={busy} aria-label={`Restore ${copy.backup} from ${label}`} onClick={() => onRestore(copy)}>
            Restore
          </Button>
        </li>
      ))}
    </ul>
  )
}
