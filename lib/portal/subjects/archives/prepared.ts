/** The archives that were prepared for download. The link is encrypted: it is worth as much as the archive, and is good for minutes. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { bindArchive } from '@/lib/portal/custody/binding'
import { openUnderRing, SealBroken, sealUnderRing } from '@/lib/portal/custody/ring'
import type { PreparedArchive } from '@/prisma/generated/portal/client'

/**
 * id: of its job. userId: the only member who may fetch it. size: in bytes; null if the service does not say. expires: until when the service keeps it, ISO;
 * null if it does not say.
 */
type NewArchive = Pick<
  PreparedArchive,
  'id' | 'teamId' | 'userId' | 'siteId' | 'domain' | 'connectionId' | 'size' | 'expires' | 'preparedAt'
> & { link: string }

/** recordedAt: the fetch is in the audit log. takenAt: its last byte was passed on. */
export type Prepared = NewArchive & Pick<PreparedArchive, 'recordedAt' | 'takenAt'>

// At least this long: the service may not say how long a link is good, or its clock may be behind. And a limit for one that says too much.
const keptMs = 900_000
const maxKeptMs = 86_400_000

/** Rejects if it cannot be stored. */
export async function keepArchive({ link, ...row }: NewArchive): Promise<void> {
  const now = Date.now()
  const told = Date.parse(row.expires ?? '')
  const expiresAt = new Date(Math.min(Math.max(told || 0, now + keptMs), now + maxKeptMs))
  const sealed = await sealUnderRing(Buffer.from(link, 'utf8'), bindArchive(row))
  const data = { ...row, ...sealed, expiresAt, recordedAt: null, takenAt: null }
  await db().preparedArchive.upsert({ where: { id: row.id }, create: data, update: data })
}

/** Null if it was never prepared, is past its time, or cannot be decrypted. */
export async function findArchive(jobId: string): Promise<Prepared | null> {
  const row = await db().preparedArchive.findFirst({ where: { id: jobId, expiresAt: { gt: new Date() } } })
  if (!row) return null
  try {
    return { ...row, link: (await openUnderRing(row.sealed, bindArchive(row))).toString('utf8') }
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

export async function noteRecorded(jobId: string): Promise<void> {
  await db().preparedArchive.updateMany({ where: { id: jobId }, data: { recordedAt: new Date() } })
}

export async function noteTaken(jobId: string): Promise<void> {
  await db().preparedArchive.updateMany({ where: { id: jobId }, data: { takenAt: new Date() } })
}

export async function forgetArchive(jobId: string): Promise<void> {
  await db().preparedArchive.deleteMany({ where: { id: jobId } })
}

/** Deletes those past their time. Returns how many. */
export async function pruneArchives(now = new Date()): Promise<number> {
  return (await db().preparedArchive.deleteMany({ where: { expiresAt: { lte: now } } })).count
}
