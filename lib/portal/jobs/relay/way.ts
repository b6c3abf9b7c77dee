/** Which connection a job is followed through, and noticing that it was frozen, removed or is no longer lent. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { canAct, rankFor } from '@/lib/portal/access/connections'
import { findFrozen } from '@/lib/portal/access/frozen'
import { findBorrower, findWithheld, needFor } from '@/lib/portal/access/loans/withheld'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { processLease } from '@/lib/portal/base/portals/lease'
import type { Connection } from '@/prisma/generated/portal/client'
import { placeOf } from '../place'
import type { AttachMode } from './attach'

/**
 * held: its connection is frozen or no longer lent, and no other one that its starter may use lists the same server. gone: there is no
 * connection at all.
 */
export type Way = { kind: 'open'; connection: Connection } | { kind: 'held'; problem: Problem } | { kind: 'gone' }

/** How often a followed job asks whether its connection was frozen, thawed, or is no longer lent. */
export const freezeCheckMs = 2_000

/**
 * For resuming: the job's own connection, or another one while that is frozen, removed or no longer lent; the job's row then names the other
 * one. A start goes through its own connection only, and fails if that was frozen or removed in the meantime.
 */
export async function findWay(jobId: string, connectionId: string, mode: AttachMode): Promise<Way> {
  const own = await db().connection.findUnique({ where: { id: connectionId } })
  const withheld = own && (await findWithheldFrom(jobId, own.id))
  if (own && (!withheld || (mode === 'start' && own.frozenAt !== null))) return { kind: 'open', connection: own }
  if (mode === 'start') return { kind: 'gone' }
  const other = await findOther(jobId, connectionId)
  if (other) {
    await db().job.updateMany({ where: { id: jobId, lease: processLease() }, data: { connectionId: other.id } })
    log.info({ jobId, connectionId: other.id }, 'a job is followed through another connection')
    return { kind: 'open', connection: other }
  }
  return withheld ? { kind: 'held', problem: heldBy(withheld) } : { kind: 'gone' }
}

/** A connection that whoever started the job may use for it, that lists its server or site, and whose service can resume. */
async function findOther(jobId: string, connectionId: string): Promise<Connection | undefined> {
  const job = await db().job.findUnique({ where: { id: jobId }, include: { site: true } })
  const place = job && placeOf(job)
  if (!job || !place || place.kind === 'everywhere') return undefined
  const { teamId, startedById, operation } = job
  const starter = startedById === null ? null : await findBorrower(teamId, startedById)
  // Whoever is no member any more borrows nothing, and their own connections are frozen.
  const ranked = await rankFor(starter ?? { teamId, userId: null, role: 'guest' }, place, needFor(operation))
  return ranked.find((each) => each.id !== connectionId && canAct(each) && each.extensions)
}

/** The reason why a job is not followed through a connection: that is frozen, removed or no longer lent to its starter. */
export async function findWithheldFrom(jobId: string, connectionId: string): Promise<Problem | null> {
  const [job, connection] = await cachedUntilWrite(`job way ${jobId} ${connectionId}`, () =>
    Promise.all([
      db().job.findUnique({ where: { id: jobId }, include: { site: true } }),
      db().connection.findUnique({ where: { id: connectionId }, select: { id: true, ownerId: true } }),
    ]),
  )
  return job && connection ? findWithheld(connection, { ...job, place: placeOf(job) }) : findFrozen(connectionId)
}

/** What a job shows once its connection is frozen, removed or no longer lent. */
export const heldBy = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `Followed no more, still running on the server. ${sentence}` })

/** Aborts when the connection is frozen, removed or no longer lent, also by another process; the caller stops watching. */
export function watchWay(jobId: string, connectionId: string): { signal: AbortSignal; stop: () => void } {
  const withheld = new AbortController()
  const ask = async () => {
    const why = await findWithheldFrom(jobId, connectionId).catch(() => null)
    if (why) withheld.abort(new Error(why.sentence))
  }
  const timer = setInterval(() => void ask(), freezeCheckMs)
  return { signal: withheld.signal, stop: () => clearInterval(timer) }
}
