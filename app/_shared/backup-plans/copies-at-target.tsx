import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import { StateChip } from '@/app/_ui/state-chip'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'

/** The newest copies of a site, or of a server itself, at one backup target: how they are, and why the newest attempt failed. */
export function CopiesAtTarget({ copies }: { copies: SubjectCopies }) {
  const { label, address, newest, lastGood } = copies
  // The list below it has those that can be restored.
  const isBelow = copies.restorable.some(({ id }) => id === lastGood?.id)
  return (
    <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
        <StateChip {...stateOf(copies)} />
      </div>
      <p className="text-small wrap-anywhere text-muted">{address}</p>
      {lastGood === null || isBelow ? null : (
        <p className="text-small wrap-anywhere text-muted">
          Copied <RelativeTime at={lastGood.at} /> · {formatSize(String(lastGood.bytes))} · {lastGood.backup} · snapshot{' '}
          {lastGood.snapshot.slice(0, 8)}
        </p>
      )}
      {newest === null || newest.problem === '' ? null : (
        <p className="text-small wrap-anywhere text-danger">
          <RelativeTime at={newest.at} />: {newest.problem}
        </p>
      )}
      {lastGood === null || copies.isSafe ? null : (
        <p className="text-small text-warn">Nobody has confirmed having the recovery kit. See Team → Backup targets.</p>
      )}
    </div>
  )
}

function stateOf({ newest, lastGood, isSafe, isBad }: SubjectCopies) {
  if (newest === null) return { tone: 'neutral', label: 'No copy yet' } as const
  if (newest.state === 'running') return { tone: 'accent', label: 'Copying', live: true } as const
  if (isBad) return { tone: 'danger', label: 'Bad copy' } as const
  if (newest.state === 'cancelled') return { tone: 'neutral', label: 'Cancelled' } as const
  if (newest.state === 'failed') return { tone: 'danger', label: 'Failed' } as const
  if (newest.state !== 'done' || lastGood === null) return { tone: 'warn', label: 'Unknown' } as const
  return isSafe ? ({ tone: 'ok', label: 'Safe' } as const) : ({ tone: 'warn', label: 'Kit not confirmed' } as const)
}
