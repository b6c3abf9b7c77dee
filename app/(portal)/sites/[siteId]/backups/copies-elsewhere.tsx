'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CopiesAtTarget } from '@/app/_shared/backup-plans/copies-at-target'
import { NoTargets } from '@/app/_shared/backup-plans/no-targets'
import { Schedule } from '@/app/_shared/backup-plans/schedule'
import { StartButton } from '@/app/_shared/forms/start-button'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import { Card, Section } from '@/app/_ui/section'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
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
  elsewhere: readonly SubjectCopies[]
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
          <NoTargets />
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {schedule === null ? null : (
              <li>
                <Schedule schedule={schedule} />
              </li>
            )}
            {elsewhere.map((copies) => (
              <li key={copies.targetId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
                <CopiesAtTarget copies={copies} />
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

function refusalOf({ refusal }: SubjectCopies, { busy, hasBackup }: { busy: boolean; hasBackup: boolean }): string | undefined {
  if (refusal !== null) return refusal
  if (busy) return 'A backup is being copied.'
  return hasBackup ? undefined : 'The site has no backup yet. Create one first.'
}
