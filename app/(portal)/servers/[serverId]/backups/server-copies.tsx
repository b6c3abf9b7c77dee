'use client'

import { useRouter } from 'next/navigation'
import { CopiesByTarget, copiesElsewhereId, refuseCopy } from '@/app/_shared/backup-plans/copies-by-target'
import { StartButton } from '@/app/_shared/forms/start-button'
import { type StartedChange, useServerChange } from '@/app/_shared/sites/use-site-change'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import { copyServerBackup } from './actions'

/** mayCopy: whether the reader may copy now. copied: the newest job that copied a backup. schedule: null if the reader may not see it. */
export type ServerCopiesProps = {
  mayCopy: boolean
  copied: JobView | null
  elsewhere: readonly SubjectCopies[]
  schedule: PlaceSchedule | null
}

type Here = ServerCopiesProps & { serverId: string; hasBackup: boolean }

/** The copies of a server's own backups outside of it. */
export function ServerCopies({ serverId, hasBackup, mayCopy, copied, elsewhere, schedule }: Here) {
  const router = useRouter()
  const { job, busy, starting, during, follow } = useServerChange('serverBackups.copy', serverId, copied, copiesElsewhereId)
  const started = (change: StartedChange) =>
    void during(async () => {
      await follow(change, 'The newest backup was copied.')
      router.refresh()
    })
  return (
    <CopiesByTarget job={job} elsewhere={elsewhere} schedule={schedule}>
      {(copies) =>
        mayCopy ? (
          <StartButton
            action={copyServerBackup}
            target={{ serverId, targetId: copies.targetId }}
            label="Copy now"
            fullLabel={`Copy now to ${copies.label}`}
            variant="outline"
            refusal={refuseCopy(copies, { busy, missing: hasBackup ? undefined : noBackup })}
            refetch={starting}
            onDone={started}
          />
        ) : null
      }
    </CopiesByTarget>
  )
}

const noBackup = 'The server has no verified backup yet. It makes one every night.'
