import { jobStates } from '@/app/_shared/jobs/job-state'
import { Card } from '@/app/_ui/card'
import { StateChip } from '@/app/_ui/state-chip'
import type { JobPartProps } from './job-part-props'

/** What a server did by its own timers: over when Gatehouse learned of it, so there is nothing to follow or to try again. */
export function EventJob({ job, lines }: JobPartProps) {
  const { tone, label } = jobStates[job.state]
  return (
    <Card className="flex flex-col items-start gap-3 px-4 py-3.5">
      <StateChip tone={tone} label={label} />
      {lines.map(({ seq, message }) => (
        <p key={seq} className="wrap-anywhere">
          {message}
        </p>
      ))}
    </Card>
  )
}
