import type { JobState, JobView } from '@/lib/portal/jobs/view'
import type { BarTone } from '../../_ui/progress-bar'
import type { Tone } from '../../_ui/state-chip'

/** Label and look of each job state. */
export const jobStates: Record<JobState, { label: string; tone: Tone; bar: BarTone }> = {
  running: { label: 'Running', tone: 'accent', bar: 'accent' },
  done: { label: 'Done', tone: 'done', bar: 'done' },
  failed: { label: 'Failed', tone: 'danger', bar: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral', bar: 'warn' },
  interrupted: { label: 'Interrupted', tone: 'warn', bar: 'warn' },
  unknown: { label: 'Outcome unknown', tone: 'warn', bar: 'warn' },
}

/** Others than members may cancel it, too, by the service. */
export const sayCancelled = ({ cancelledBy }: JobView): string =>
  cancelledBy === '' ? 'The job was cancelled.' : `Cancelled by ${cancelledBy}.`
