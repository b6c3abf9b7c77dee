/** A job counts as running only while somebody heard of it lately. */
import 'server-only'
import type { Job } from '@/prisma/generated/portal/client'

export const silenceMs = 60_000

/** Whether the row's `running` can be believed. */
export function isHeard(job: Pick<Job, 'state' | 'heardAt'>): boolean {
  return job.state === 'running' && Date.now() - job.heardAt.getTime() < silenceMs
}
