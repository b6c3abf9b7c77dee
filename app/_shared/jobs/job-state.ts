import type { JobState } from '@/lib/portal/jobs/view'
import type { Tone } from '../../_ui/state-chip'

/** How a job's state looks and is called. */
export const jobStates: Record<JobState, { word: string; tone: Tone; bar: 'accent' | 'ok' | 'danger' | 'warn' }> = {
  running: { word: 'Running', tone: 'accent', bar: 'accent' },
  done: { word: 'Done', tone: 'ok', bar: 'ok' },
  failed: { word: 'Failed', tone: 'danger', bar: 'danger' },
  interrupted: { word: 'Interrupted', tone: 'warn', bar: 'warn' },
  unknown: { word: 'Outcome unknown', tone: 'warn', bar: 'warn' },
}

const verbs: Record<string, string> = { 'servers.install': 'Install' }

/** "Install web-fra-01". */
export const formatJob = (job: { operation: string; says: string; targetName: string }): string =>
  `${verbs[job.operation] ?? job.says.replace(/\.$/, '')} ${job.targetName}`
