import type { ReactNode } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import { NewestChange } from '../sites/newest-change'
import { CopiesAtTarget } from './copies-at-target'
import { NoTargets } from './no-targets'
import { Schedule } from './schedule'

/** The id of the section on a page. */
export const copiesElsewhereId = 'copies-elsewhere'

/** job: the newest one. schedule: null if the reader may not see it. */
type CopiesByTargetProps = {
  job: JobView | null
  elsewhere: readonly SubjectCopies[]
  schedule: PlaceSchedule | null
  children: (copies: SubjectCopies) => ReactNode
}

/** The copies of a site, or of a server itself, outside of its server: one line for each backup target, with what the page adds to it. */
export const CopiesByTarget = ({ job, elsewhere, schedule, children }: CopiesByTargetProps) => (
  <Section title="Copies elsewhere" anchor={copiesElsewhereId}>
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
              {children(copies)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  </Section>
)

/** Why the newest backup cannot be copied to a target now. missing: why there is nothing to copy. */
export function refuseCopy(
  { refusal }: SubjectCopies,
  { busy, missing }: { busy: boolean; missing: string | undefined },
): string | undefined {
  if (refusal !== null) return refusal
  return busy ? 'A backup is being copied.' : missing
}
