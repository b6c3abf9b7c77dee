/** Which connection a job is followed through, and noticing that it was frozen or removed. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { canAct, rankWithin } from '@/lib/portal/access/connections'
import { findFrozen } from '@/lib/portal/access/frozen'
import { db } from '@/lib/portal/base/db'
import type { Connection } from '@/prisma/generated/portal/client'
import type { AttachMode } from './attach'
import { processLease } from './lease'

/** held: its connection is frozen, and no other one that its starter may use lists the same server. gone: there is no connection at all. */
export type Way = { kind: 'open'; connection: Connection } | { kind: 'held'; problem: Problem } | { kind: 'gone' }

/** How often a followed job asks whether its connection was frozen, or thawed. */
export const freezeCheckMs = 2_000

/**
 * For resuming: the job's own connection, or another one while that is frozen or removed; the job's row then names the other one. A start
 * goes through its own connection only, and fails if that was frozen or removed in the meantime.
 */
export async function findWay(jobId: string, connectionId: string, mode: AttachMode): Promise<Way> {
  const own = await db().connection.findUnique({ where: { id: connectionId } })
  if (own && (mode === 'start' || own.frozenAt === null)) return { kind: 'open', connection: own }
  if (mode === 'start') return { kind: 'gone' }
  const other = await findOther(jobId, connectionId)
  if (other) {
    await db().job.updateMany({ where: { id: jobId, lease: processLease() }, data: { connectionId: other.id } })
    log.info({ jobId, connectionId: other.id }, 'a job is followed through another connection')
    return { kind: 'open', connection: other }
  }
  const frozen = own && (await findFrozen(own.id))
  return frozen ? { kind: 'held', problem: heldBy(frozen) } : own ? { kind: 'open', connection: own } : { kind: 'gone' }
}

/** A connection of the team, or of whoever started the job, that lists the job's server or site and whose service can resume. */
async function findOther(jobId: string, connectionId: string): Promise<Connection | undefined> {
  const job = await db().job.findUnique({ where: { id: jobId } })
  const id = job?.siteId ?? job?.serverId
  if (!job || !id) return undefined
  const kind = job.siteId === null ? 'server' : 'site'
  const ranked = await rankWithin({ teamId: job.teamId, ownerId: job.startedById }, { kind, id })
  return ranked.find((each) => each.id !== connectionId && canAct(each) && each.extensions)
}

/** What a job shows once its connection is frozen or removed. */
export const heldBy = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `Followed no more, still running on the server. ${sentence}` })

/** Aborts when the connection is frozen or removed, also by another process; the caller stops watching. */
export function watchFreeze(connectionId: string): { signal: AbortSignal; stop: () => void } {
  const frozen = new AbortController()
  const ask = async () => {
    const why = await findFrozen(connectionId).catch(() => null)
    if (why) frozen.abort(new Error(why.sentence))
  }
  const timer = setInterval(() => void ask(), freezeCheckMs)
  return { signal: frozen.signal, stop: () => clearInterval(timer) }
}
