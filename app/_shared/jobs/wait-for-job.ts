import { type Problem, problem } from '@/lib/contract/problem'
import { followJob } from './follow-job'

/** Follows a job until it is over. Null if it succeeded; otherwise why it did not, or that its outcome is unknown. */
export const waitForJob = (jobId: string): Promise<Problem | null> =>
  new Promise((resolve) => {
    const leave = followJob(jobId, 0, (news) => {
      if (news.kind !== 'state' || news.job.endedAt === null) return
      leave()
      resolve(news.job.state === 'done' ? null : (news.job.problem ?? problem('outcome_unknown')))
    })
  })
