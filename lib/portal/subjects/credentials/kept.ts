/** Credentials that a service created and will not tell again, such as an app's first password: encrypted, for whoever started the job (decision 044). */
import 'server-only'
import * as z from 'zod'
import { db } from '@/lib/portal/base/db'
import { bindJobCredentials } from '@/lib/portal/custody/binding'
import { openUnderRing, SealBroken, sealUnderRing } from '@/lib/portal/custody/ring'
import type { JobCredentials } from '@/prisma/generated/portal/client'

// Of what a service sends, more would not be a password.
const text = z.string().max(1_000)

const credentials = z.object({ url: text, user: text, password: text })

export type Credentials = z.infer<typeof credentials>

/** Milliseconds. A reload, or an answer that was lost on its way, shows them again until `shown` has passed. */
type KeepTiming = { unseenMs: number; shownMs: number }

const usual: KeepTiming = { unseenMs: 24 * 3_600_000, shownMs: 10 * 60_000 }

/** A job, by what it does to which site: a later job that returns none leaves those of an earlier one where they are. */
type Work = { operation: string; siteId: string | null }

const idOf = ({ operation, siteId }: Work): string => `${operation} ${siteId}`

const unexpired = () => ({ expiresAt: { gt: new Date() } })

/** They replace earlier ones. A site that was deleted has none. Rejects if they cannot be stored. */
export async function keepCredentials(work: Work, userId: string, given: Credentials, { unseenMs } = usual): Promise<void> {
  await forgetCredentials(work)
  const kept = credentials.safeParse(given)
  if (work.siteId === null || !kept.success) return
  const id = idOf(work)
  const sealed = await seal({ id, userId }, kept.data)
  const data = { userId, ...sealed, shownAt: null, expiresAt: after(unseenMs) }
  await db().jobCredentials.upsert({ where: { id }, create: { id, ...data }, update: data })
}

/** Who may see the credentials that such jobs returned: null if there are none, or no longer. */
export async function readCredentialOwners(works: readonly Work[]): Promise<(work: Work) => string | null> {
  const ids = [...new Set(works.filter(({ siteId }) => siteId !== null).map(idOf))]
  const rows =
    ids.length === 0
      ? []
      : await db().jobCredentials.findMany({ where: { id: { in: ids }, ...unexpired() }, select: { id: true, userId: true } })
  const owners = new Map(rows.map(({ id, userId }) => [id, userId]))
  return (work) => owners.get(idOf(work)) ?? null
}

/** Null for anybody else, and if they cannot be decrypted. They are dropped some time after the first look. */
export async function showCredentials(work: Work, userId: string, { shownMs } = usual): Promise<Credentials | null> {
  const row = await db().jobCredentials.findFirst({ where: { id: idOf(work), userId, ...unexpired() } })
  const found = row && (await open(row))
  if (found && row.shownAt === null) {
    const { id, expiresAt } = row
    await db().jobCredentials.updateMany({ where: { id, expiresAt }, data: { shownAt: new Date(), expiresAt: after(shownMs) } })
    // The row goes even if nobody looks any more; after a restart, with the daily deletion.
    setTimeout(() => void pruneCredentials().catch(() => {}), shownMs).unref()
  }
  return found
}

export async function forgetCredentials(work: Work): Promise<void> {
  await db().jobCredentials.deleteMany({ where: { id: idOf(work) } })
}

/** Deletes what nobody can see any more. Returns how many. */
export async function pruneCredentials(now = new Date()): Promise<number> {
  return (await db().jobCredentials.deleteMany({ where: { expiresAt: { lte: now } } })).count
}

const after = (ms: number): Date => new Date(Date.now() + ms)

async function seal(row: Pick<JobCredentials, 'id' | 'userId'>, kept: Credentials) {
  const plaintext = Buffer.from(JSON.stringify(kept), 'utf8')
  try {
    return await sealUnderRing(plaintext, bindJobCredentials(row))
  } finally {
    plaintext.fill(0)
  }
}

async function open(row: JobCredentials): Promise<Credentials | null> {
  try {
    const plaintext = await openUnderRing(row.sealed, bindJobCredentials(row))
    const read = credentials.safeParse(JSON.parse(plaintext.toString('utf8')))
    plaintext.fill(0)
    return read.success ? read.data : null
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
