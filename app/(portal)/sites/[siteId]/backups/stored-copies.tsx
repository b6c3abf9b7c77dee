'use client'

import { useState } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import type { StartedChange } from '@/app/_shared/sites/use-site-change'
import { Button } from '@/app/_ui/button'
import { formatCount } from '@/app/_ui/count'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import type { CopyView, ProofView, SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import { proveStoredCopy } from './actions'

type StoredCopiesProps = {
  siteId: string
  copies: SubjectCopies
  /** Null for a reader who may not. busy: the site is changed meanwhile. */
  restore: { busy: boolean; onRestore: (copy: CopyView) => void } | null
  /** The same of proofs. starting: the reads that show a new job. */
  proof: { busy: boolean; starting: readonly AnyRead[]; onStarted: (started: StartedChange) => void } | null
}

const fewest = 5

/** The copies at one backup target from which the site can be restored: the newest, and all on request. */
export function StoredCopies({ siteId, copies: { label, restorable, refusal }, restore, proof }: StoredCopiesProps) {
  const [all, setAll] = useState(false)
  const shown = all ? restorable : restorable.slice(0, fewest)
  return (
    <ul aria-label={`Copies in ${label}`} className="flex basis-full flex-col gap-1">
      {shown.map((copy) => (
        <li key={copy.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-64 text-small wrap-anywhere text-muted">
            <RelativeTime at={copy.at} /> · {formatSize(String(copy.bytes))} · {copy.backup} · snapshot {copy.snapshot.slice(0, 8)} ·{' '}
            <Proof proof={copy.proof} />
          </span>
          {proof ? (
            <StartButton
              action={proveStoredCopy}
              target={{ siteId, copyId: copy.id }}
              label="Prove now"
              fullLabel={`Prove now: ${copy.backup} from ${label}`}
              variant="ghost"
              refusal={proof.busy ? 'A copy is being proven.' : (refusal ?? undefined)}
              refetch={proof.starting}
              onDone={proof.onStarted}
            />
          ) : null}
          {restore ? (
            <Button
              variant="ghost"
              disabled={restore.busy}
              aria-label={`Restore ${copy.backup} from ${label}`}
              onClick={() => restore.onRestore(copy)}
            >
              Restore
            </Button>
          ) : null}
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

function Proof({ proof: { provenAt, isBad, problem } }: { proof: ProofView }) {
  if (isBad) return <span className="text-danger">{problem}</span>
  return (
    <>
      {provenAt === '' ? (
        'Never proven'
      ) : (
        <>
          Proven <RelativeTime at={provenAt} />
        </>
      )}
      {problem === '' ? null : ` · ${problem}`}
    </>
  )
}
