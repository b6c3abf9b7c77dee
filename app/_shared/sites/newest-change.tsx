'use client'

import type { JobView } from '@/lib/portal/jobs/view'
import { ButtonLink } from '../../_ui/button'
import { useDrawnNow } from '../../_ui/clock'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'
import { useForeign } from '../connections/foreign-service'
import { JobCard } from '../jobs/job-card'
import { sayCancelled } from '../jobs/job-state'
import { useJob } from '../jobs/use-job'

const toldMs = 7 * 86_400_000

/** The newest change of a site by one operation: live, and if it did not succeed, why, for a week. */
export function NewestChange({ job }: { job: JobView }) {
  const now = useDrawnNow(60_000)
  if (job.endedAt === null) return <Running key={job.id} first={job} />
  return now - Date.parse(job.endedAt) < toldMs ? <Ended job={job} /> : null
}

function Running({ first }: { first: JobView }) {
  const { job, lines } = useJob(first, [])
  const foreign = useForeign()
  if (job.state !== 'running') return <Ended job={job} alert />
  return <JobCard job={job} lines={lines} reports={!foreign || lines.length > 0} action={<Log job={job} />} />
}

const Log = ({ job: { id } }: { job: JobView }) => <ButtonLink href={`/jobs/${id}`}>View log</ButtonLink>

const titles = {
  failed: 'The job failed.',
  interrupted: 'Gatehouse no longer follows this job.',
  unknown: 'The outcome is unknown.',
}

function Ended({ job, alert = false }: { job: JobView; alert?: boolean }) {
  const { state, problem, endedAt, heardAt } = job
  if (state === 'done' || state === 'running') return null
  const sentence = problem?.sentence ?? ''
  const failed = state === 'failed'
  return (
    <Notice
      tone={failed ? 'danger' : 'warn'}
      alert={alert}
      title={state === 'cancelled' ? sayCancelled(job) : failed ? sentence || titles.failed : titles[state]}
      action={<Log job={job} />}
    >
      {failed || sentence === '' ? null : <p>{sentence}</p>}
      <p>
        {job.startedBy || 'A former member'} tried this <RelativeTime at={endedAt ?? heardAt} />.
      </p>
    </Notice>
  )
}
