/** Jobs that another portal follows, for viewers of this one: their rows are the truth, and hints and a poll say when to read them. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { onHint } from '@/lib/portal/base/portals/hints'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { readJob, readLines } from '../view'
import { listWatched, publish } from './bus'
import { relayOf } from './relay'

const pollMs = 250
// Viewers that are further behind read the rows themselves.
const maxLines = 200

/** Only while somebody watches such a job is the database asked. On SQLite every job is followed here. */
export function watchElsewhere(): () => void {
  if (!sharedDatabase()) return () => {}
  const look = createLook()
  const everywhere = () => look(listWatched())
  const forget = onHint('job', (jobId) => void look(listWatched().filter((id) => id === jobId)))
  const timer = setInterval(everywhere, pollMs).unref()
  return () => {
    forget()
    clearInterval(timer)
  }
}

/** What viewers were last told of a job: the number of its lines, and all that changes besides. */
type Told = { count: number; rest: string }

function createLook(): (jobIds: readonly string[]) => Promise<void> {
  const told = new Map<string, Told>()
  let tail: Promise<void> = Promise.resolve()
  const look = async (jobIds: readonly string[]): Promise<void> => {
    const ids = jobIds.filter((id) => !relayOf(id))
    for (const id of told.keys()) if (!listWatched().includes(id)) told.delete(id)
    if (ids.length === 0) return
    const rows = await db().job.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, eventCount: true, state: true, step: true, progress: true, endedAt: true, problemCode: true, siteId: true },
    })
    for (const { id, eventCount: count, ...rest } of rows) {
      const [before, now] = [told.get(id), { count, rest: JSON.stringify(rest) }]
      if (before?.count === now.count && before.rest === now.rest) continue
      const missed = before === undefined ? null : count - before.count
      const lines = missed !== null && missed > 0 && missed <= maxLines ? await readLines(id, before?.count ?? 0, missed) : []
      const view = await readJob(id)
      if (!view) continue
      told.set(id, now)
      publish(id, { lines, view, unread: missed === null || missed > maxLines })
    }
  }
  // One after another, so that lines are told in order.
  return (jobIds) => {
    if (jobIds.length === 0) return Promise.resolve()
    tail = tail.then(() => look(jobIds)).catch((err: unknown) => log.warn({ err }, 'a job that another portal follows could not be read'))
    return tail
  }
}
