'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Schedule } from '@/app/_shared/backup-plans/schedule'
import { StartButton } from '@/app/_shared/forms/start-button'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import { ButtonLink } from '@/app/_ui/button'
import { EmptyState } from '@/app/_ui/empty-state'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import { StateChip } from '@/app/_ui/state-chip'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SiteCopies } from '@/lib/portal/subjects/backup-targets/copies'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { copyNewestBackup } from './actions'
import { type ChosenCopy, RestoreCopy, type RestoreStart } from './restore-copy'
import { StoredCopies } from './stored-copies'
import { newerOf } from './use-backups'

const sectionId = 'copies-elsewhere'

/** copied: the newest job that copied a backup. may: whether the reader may copy now. hasBackup: whether there is one to copy. restore: null if the reader may not. */
type CopiesElsewhereProps = {
  site: SiteRow
  copied: JobView | null
  proven: JobView | null
  elsewhere: readonly SiteCopies[]
  schedule: PlaceSchedule | null
  may: boolean
  hasBackup: boolean
  restore: RestoreStart | null
}

/** The copies of a site's backups outside of its server, one line for each backup target. */
export function CopiesElsewhere({ site, copied, proven, elsewhere, schedule, may, hasBackup, restore }: CopiesElsewhereProps) {
  const [chosen, setChosen] = useState<ChosenCopy | null>(null)
  const router = useRouter()
  const { id: siteId } = site
  const { job, busy, starting, during, follow } = useSiteChange('copies.make', siteId, copied, sectionId, [])
  const proving = useSiteChange('copies.prove', siteId, proven, sectionId, [])
  const proofStarted = (change: StartedChange) =>
    void proving.during(async () => {
      await proving.follow(change, 'The site could be restored from the copy.')
      router.refresh()
    })
  const shown = newerOf(job, proving.job)
  const started = (change: StartedChange) =>
    void during(async () => {
      await follow(change, 'The newest backup was copied.')
      router.refresh()
    })
  return (
    <Section title="Copies elsewhere" anchor={sectionId}>
      {shown ? <NewestChange job={shown} /> : null}
      <Card>
        {elsewhere.length === 0 ? (
          <EmptyState title="No backup targets">
            <p>Add storage outside of your servers as a backup target. Gatehouse copies backups there, encrypted.</p>
            <ButtonLink href="/team/backup-targets">Backup targets</ButtonLink>
          </EmptyState>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {schedule === null ? null : (
              <li>
                <Schedule schedule={schedule} />
              </li>
            )}
            {elsewhere.map((copies) => (
              <li key={copies.targetId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
                <Copies copies={copies} />
                {may ? (
                  <StartButton
                    action={copyNewestBackup}
                    target={{ siteId, targetId: copies.targetId }}
                    label="Copy now"
                    variant="outline"
                    refusal={refusalOf(copies, { busy, hasBackup })}
                    refetch={starting}
                    onDone={started}
                  />
                ) : null}
                {copies.restorable.length === 0 ? null : (
                  <StoredCopies
                    siteId={siteId}
                    copies={copies}
                    restore={restore ? { busy: restore.busy, onRestore: (copy) => setChosen({ copy, label: copies.label }) } : null}
                    proof={may ? { busy: proving.busy, starting: proving.starting, onStarted: proofStarted } : null}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {restore ? <RestoreCopy site={site} chosen={chosen} restore={restore} onClose={() => setChosen(null)} /> : null}
    </Section>
  )
}

function refusalOf({ refusal }: SiteCopies, { busy, hasBackup }: { busy: boolean; hasBackup: boolean }): string | undefined {
  if (refusal !== null) return refusal
  if (busy) return 'A backup is being copied.'
  return hasBackup ? undefined : 'The site has no backup yet. Create one first.'
}

function Copies({ copies }: { copies: SiteCopies }) {
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

function stateOf({ newest, lastGood, isSafe, isBad }: SiteCopies) {
  if (newest === null) return { tone: 'neutral', label: 'No copy yet' } as const
  if (newest.state === 'running') return { tone: 'accent', label: 'Copying', live: true } as const
  if (isBad) return { tone: 'danger', label: 'Bad copy' } as const
  if (newest.state === 'cancelled') return { tone: 'neutral', label: 'Cancelled' } as const
  if (newest.state === 'failed') return { tone: 'danger', label: 'Failed' } as const
  if (newest.state !== 'done' || lastGood === null) return { tone: 'warn', label: 'Unknown' } as const
  return isSafe ? ({ tone: 'ok', label: 'Safe' } as const) : ({ tone: 'warn', label: 'Kit not confirmed' } as const)
}
