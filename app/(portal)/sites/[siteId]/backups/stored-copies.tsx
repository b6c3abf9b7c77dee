'use client'

import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { formatCount } from '@/app/_ui/count'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import type { CopyView, SiteCopies } from '@/lib/portal/subjects/backup-targets/copies'

type StoredCopiesProps = {
  copies: SiteCopies
  /** The site is changed meanwhile. */
  busy: boolean
  onRestore: (copy: CopyView) => void
}

const fewest = 5

/** The copies at one backup target from which the site can be restored: the newest, and all on request. */
export function StoredCopies({ copies: { label, restorable }, busy, onRestore }: StoredCopiesProps) {
  const [all, setAll] = useState(false)
  const shown = all ? restorable : restorable.slice(0, fewest)
  return (
    <ul aria-label={`Copies in ${label}`} className="flex basis-full flex-col gap-1">
      {shown.map((copy) => (
        <li key={copy.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-64 text-small wrap-anywhere text-muted">
            <RelativeTime at={copy.at} /> · {formatSize(String(copy.bytes))} · {copy.backup} · snapshot {copy.snapshot.slice(0, 8)}
          </span>
          <Button variant="ghost" disabled={busy} aria-label={`Restore ${copy.backup} from ${label}`} onClick={() => onRestore(copy)}>
            Restore
          </Button>
        </li>
      ))}
      {shown.length < restorable.length ? (
        <li>
          <Button variant="ghost" onClick={() => setAll(true)} className="-mx-3">
            Show all {formatCount(restorable.length)}
          </Button>
        </li>
      ) : null}
    </ul>
  )
}
