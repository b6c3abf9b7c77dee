/** Ends copies whose job has ended without them, or is not there: the portal was killed before it stored the job, or its end. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'

const everyMs = 60_000

/** The row of a copy is stored shortly before its job, and its end shortly after the end of the job. */
const graceMs = 60_000

const outcomeUnknown =
  'Gatehouse was stopped before it learned how this copy ended. Copy again: data that is there already is not sent twice.'

/** Every minute. If a job is stored after all, its end replaces this one. */
export function settleLostCopiesRegularly(): void {
  const round = () => asLeader(() => settleLostCopies()).catch((err: unknown) => log.error({ err }, 'lost copies could not be ended'))
  void round()
  setInterval(() => void round(), everyMs).unref()
}

/** Those that have been running for a minute. */
export async function settleLostCopies(now = new Date()): Promise<void> {
  const until = new Date(now.getTime() - graceMs)
  const running = await db().backupCopy.findMany({ where: { state: 'running', startedAt: { lte: until } }, select: { id: true } })
  if (running.length === 0) return
  const jobs = await db().job.findMany({ where: { id: { in: running.map(({ id }) => id) } } })
  for (const { id } of running) {
    const job = jobs.find((each) => each.id === id)
    if (job && (job.endedAt === null || job.endedAt > until)) continue
    // Its snapshot is not known.
    const state = job === undefined || job.state === 'done' ? 'unknown' : job.state
    const data = { state, problem: job?.problemSentence ?? outcomeUnknown, endedAt: job?.endedAt ?? now }
    await db().backupCopy.updateMany({ where: { id, state: 'running' }, data })
  }
}
