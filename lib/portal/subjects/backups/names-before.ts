/** The backups that a site had before another one was ordered, by job: only an answer that is lost needs them. */
import 'server-only'
import { db } from '@/lib/portal/base/db'

// Longer than any job is followed.
const keptMs = 8 * 24 * 3_600_000

/** A service that does not say when its backups were made shows only by a new name that it made one. */
export async function noteNamesBefore(jobId: string, names: readonly string[]): Promise<void> {
  const data = { names: JSON.stringify(names), at: new Date() }
  await db().namesBefore.upsert({ where: { jobId }, create: { jobId, ...data }, update: data })
}

/** Undefined if the list was not read before that job. */
export async function namesBefore(jobId: string): Promise<ReadonlySet<string> | undefined> {
  const row = await db().namesBefore.findUnique({ where: { jobId } })
  return row ? new Set<string>(JSON.parse(row.names)) : undefined
}

/** Deletes those of jobs that are long over. Returns how many. */
export async function pruneNamesBefore(now = new Date()): Promise<number> {
  return (await db().namesBefore.deleteMany({ where: { at: { lt: new Date(now.getTime() - keptMs) } } })).count
}
