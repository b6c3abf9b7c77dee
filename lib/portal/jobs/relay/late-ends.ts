/** Finishes the jobs that the process before had ended when it was killed: their intent has no outcome in the audit log. */
import 'server-only'
import { isProblemCode, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import type { AuditStage, Job, Prisma } from '@/prisma/generated/portal/client'
import { followEnd } from './conclude'
import type { JobEnd } from './job-log'

const lateMs = 24 * 3_600_000
const lateJobs = 500

/** Looks at the newest jobs that ended within a day. endedBeforeMs: not at those that ended since, which somebody may still be recording. */
export async function followLateEnds({ endedBeforeMs = 0 } = {}): Promise<void> {
  const endedAt = { gt: new Date(Date.now() - lateMs), ...(endedBeforeMs > 0 && { lte: new Date(Date.now() - endedBeforeMs) }) }
  const where = { endedAt, state: { not: 'running' } } satisfies Prisma.JobWhereInput
  const jobs = await db().job.findMany({ where, orderBy: { endedAt: 'desc' }, take: lateJobs })
  const found = { requestId: { in: jobs.map(({ id }) => id) }, stage: { in: ['intent', 'outcome'] } } satisfies Prisma.AuditRowWhereInput
  const rows = await db().auditRow.findMany({ where: found, select: { requestId: true, stage: true } })
  const idsWith = (stage: AuditStage) => new Set(rows.filter((row) => row.stage === stage).map(({ requestId }) => requestId))
  const [intents, outcomes] = [idsWith('intent'), idsWith('outcome')]
  const late = jobs.filter(({ id }) => intents.has(id) && !outcomes.has(id))
  for (const job of late) await followEnd(job.id, endOf(job))
  if (late.length > 0) log.info({ jobs: late.length }, 'jobs that a previous process had ended were recorded')
}

function endOf({ state, problemCode: code, problemSentence }: Job): JobEnd {
  const why = isProblemCode(code) ? problem(code, { sentence: problemSentence ?? '' }) : null
  return { state: state === 'running' ? 'interrupted' : state, problem: why }
}
