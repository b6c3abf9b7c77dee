'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CopiesByTarget, copiesElsewhereId, refuseCopy } from '@/app/_shared/backup-plans/copies-by-target'
import { StartButton } from '@/app/_shared/forms/start-button'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { copyNewestBackup } from './actions'
import { type ChosenCopy, RestoreCopy, type RestoreStart } from './restore-copy'
import { StoredCopies } from './stored-copies'
import { newerOf } from './use-backups'

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

/** The copies of a site's backups outside of its server. */
export function CopiesElsewhere({ site, copied, proven, elsewhere, schedule, may, hasBackup, restore }: CopiesElsewhereProps) {
  const [chosen, setChosen] = useState<ChosenCopy | null>(null)
  const router = useRouter()
  const { id: siteId } = site
  const { job, busy, starting, during, follow } = useSiteChange('copies.make', siteId, copied, copiesElsewhereId, [])
  const proving = useSiteChange('copies.prove', siteId, proven, copiesElsewhereId, [])
  const proofStarted = (change: StartedChange) =>
    void proving.during(async () => {
      await proving.follow(change, 'The site could be restored from the copy.')
      router.refresh()
    })
  const started = (change: StartedChange) =>
    void during(async () => {
      await follow(change, 'The newest backup was copied.')
      router.refresh()
    })
  return (
    <>
      <CopiesByTarget job={newerOf(job, proving.job)} elsewhere={elsewhere} schedule={schedule}>
        {(copies) => (
          <>
            {may ? (
              <StartButton
                action={copyNewestBackup}
                target={{ siteId, targetId: copies.targetId }}
                label="Copy now"
                fullLabel={`Copy now to ${copies.label}`}
                variant="outline"
                refusal={refuseCopy(copies, { busy, missing: hasBackup ? undefined : noBackup })}
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
          </>
        )}
      </CopiesByTarget>
      {restore ? <RestoreCopy site={site} chosen={chosen} restore={restore} onClose={() => setChosen(null)} /> : null}
    </>
  )
}

const noBackup = 'The site has no backup yet. Create one first.'
