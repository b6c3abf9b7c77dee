/** Passes a prepared archive on to the member who prepared it. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { canAct } from '@/lib/portal/access/connections'
import { decide, findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import { type ArchiveRequest, fetchArchive } from '@/lib/portal/upstream/archive'
import type { Connection } from '@/prisma/generated/portal/client'
import { archiveName } from './file-name'
import { findArchive, forgetArchive, noteRecorded, noteTaken, type Prepared } from './prepared'
import { findWithheldFor } from './withheld'

/** chunks: throws UpstreamFailure if they break off. */
type ArchiveBytes = { status: number; headers: Readonly<Record<string, string>>; name: string; chunks: AsyncIterable<Uint8Array> }

const gone = problem('not_found', { sentence: 'This archive is no longer available. Prepare a new one.' })

/** Checks permissions as they are now, asks the service for the bytes, and logs that before it passes the first one on. */
export async function fetchPrepared(actor: Person, jobId: string, asked: ArchiveRequest): Promise<Outcome<ArchiveBytes>> {
  const archive = await findArchive(jobId)
  if (!archive || archive.teamId !== actor.team.id) return refuse(gone)
  const refusal = await refuseFetch(actor, archive)
  if (refusal) return refuse(refusal)
  const connection = await db().connection.findUnique({ where: { id: archive.connectionId } })
  if (!connection || !canAct(connection)) return refuse(problem('no_connection'))
  const withheld = await findWithheldFor(actor, archive, connection)
  if (withheld) return refuse(withheld)
  const reply = await fetchArchive(connection, archive.link, asked)
  if (reply.kind === 'failed') {
    if (reply.problem.code === 'not_found') await forgetArchive(jobId)
    return refuse(reply.problem)
  }
  const unrecorded = await recordFetch(actor, archive, connection)
  if (unrecorded) {
    reply.discard()
    return refuse(unrecorded)
  }
  const chunks = noteEnd(archive, whileAllowed(actor, archive, connection, reply.chunks), reply.whole)
  const name = archiveName(archive.domain, archive.link, archive.preparedAt)
  return { ok: true, data: { status: reply.status, headers: reply.headers, name, chunks } }
}

const refuse = (why: Problem): { ok: false; problem: Problem } => ({ ok: false, problem: why })

/** The role, the site, and that nobody else's archive is fetched. Whoever prepared it confirmed then who they are. */
async function refuseFetch(actor: Person, { userId, siteId }: Prepared): Promise<Problem | null> {
  const decided = await decide(actor, contract.sites.download, { siteId })
  if (!decided.ok) return decided.problem
  if (userId === actor.user.id) return null
  await recordDenied(actor, contract.sites.download.id, { kind: 'site', id: siteId }, 'forbidden')
  return problem('forbidden', { sentence: 'Another member prepared this archive. Prepare your own.' })
}

/** Once for each archive, however many ranges a browser asks for. */
async function recordFetch(actor: Person, archive: Prepared, connection: Connection): Promise<Problem | null> {
  if (archive.recordedAt) return null
  try {
    await recordAudit({
      teamId: actor.team.id,
      actor: auditActorOf(actor),
      action: 'archive.download',
      object: { kind: 'site', id: archive.siteId },
      connectionId: connection.id,
      stage: 'event',
      outcome: 'done',
      detail: { name: archive.domain },
    })
    await noteRecorded(archive.id)
    return null
  } catch (error) {
    log.error({ err: error, jobId: archive.id }, 'the audit log cannot be written')
    return problem('internal', { sentence: 'The audit log could not be written, so nothing was downloaded.' })
  }
}

const recheckMs = 5_000

/** A download may take hours, in which permissions are revoked, the connection frozen, or its loan over. Nobody has to be at the page. */
async function* whileAllowed(
  actor: Person,
  archive: Prepared,
  connection: Connection,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let checkedAt = Date.now()
  for await (const chunk of chunks) {
    if (Math.abs(Date.now() - checkedAt) >= recheckMs) {
      if (!(await isAllowed(actor, archive, connection))) throw new Error('This download is no longer allowed.')
      checkedAt = Date.now()
    }
    yield chunk
  }
}

async function isAllowed(actor: Person, archive: Prepared, connection: Connection): Promise<boolean> {
  const [now, withheld] = await Promise.all([recheckSame(actor, { evenIdle: true }), findWithheldFor(actor, archive, connection)])
  if (now === null || withheld !== null) return false
  return (await findGranted(now, contract.sites.download, 'site', [archive.siteId])).has(archive.siteId)
}

/** An archive whose last byte was passed on is not offered again: the service may have removed it. */
async function* noteEnd(archive: Prepared, chunks: AsyncIterable<Uint8Array>, whole: boolean): AsyncGenerator<Uint8Array> {
  yield* chunks
  // The archive has arrived: a failure here must not break it off.
  if (whole) await noteTaken(archive.id).catch((err: unknown) => log.warn({ err, jobId: archive.id }, 'a fetched archive stays offered'))
}
