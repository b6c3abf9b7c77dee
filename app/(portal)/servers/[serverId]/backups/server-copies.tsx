'use client'

import { useRouter } from 'next/navigation'
import { CopiesAtTarget } from '@/app/_shared/backup-plans/copies-at-target'
import { NoTargets } from '@/app/_shared/backup-plans/no-targets'
import { Schedule } from '@/app/_shared/backup-plans/schedule'
import { StartButton } from '@/app/_shared/forms/start-button'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { type StartedChange, useServerChange } from '@/app/_shared/sites/use-site-change'
import { Card, Section } from '@/app/_ui/section'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import { copyServerBackup } from './actions'

const sectionId = 'copies-elsewhere'

/** mayCopy: whether the reader may copy now. copied: the newest job that copied a backup. schedule: null if the reader may not see it. */
export type ServerCopiesProps = {
  mayCopy: boolean
  copied: JobView | null
  elsewhere: readonly SubjectCopies[]
  schedule: PlaceSchedule | null
}

type Here = ServerCopiesProps & { serverId: string; hasBackup: boolean }

/** The copies of a server's own backups outside of it, one line for each backup target. */
export function ServerCopies({ serverId, hasBackup, mayCopy, copied, elsewhere, schedule }: Here) {
  const router = useRouter()
  const { job, busy, starting, during, follow } = useServerChange('serverBackups.copy', serverId, copied, sectionId)
  const started = (change: StartedChange) =>
    void during(async () => {
      await follow(change, 'The newest backup was copied.')
      router.refresh()
    })
  return (
    <Section title="Copies elsewhere" anchor={sectionId}>
      {job ? <NewestChange job={job} /> : null}
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
                {mayCopy ? (
                  <StartButton
                    action={copyServerBackup}
                    target={{ serverId, targetId: copies.targetId }}
                    label="Copy now"
                    variant="outline"
                    refusal={refusalOf(copies, { busy, hasBackup })}
                    refetch={starting}
                    onDone={started}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  )
}

function refusalOf({ refusal }: SubjectCopies, { busy, hasBackup }: { busy: boolean; hasBackup: boolean }): string | undefined {
  if (refusal !== null) return refusal
  if (busy) return 'A backup is being copied.'
  return hasBackup ? undefined : 'The server has no verified backup yet. It makes one every night.'
}
