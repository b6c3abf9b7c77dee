/** Waits for the end of a job, whoever follows it. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { isProblemCode, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { JobState } from '@/prisma/generated/portal/client'
import { relayOf } from './relay/relay'

const pollMs = 1_000

/** unknown if there is no such job any more. */
export async function waitForJob(id: string): Promise<{ state: JobState; problem: Problem | null }> {
  for (;;) {
    const job = await db().job.findUnique({ where: { id } })
    if (!job) return { state: 'unknown', problem: problem('outcome_unknown') }
    const { state, endedAt, problemCode: code, problemSentence } = job
    if (endedAt !== null) return { state, problem: isProblemCode(code) ? problem(code, { sentence: problemSentence ?? '' }) : null }
    await (relayOf(id) ?? pause(pollMs))
  }
}
