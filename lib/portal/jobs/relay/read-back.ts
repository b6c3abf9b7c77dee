/** Settles a change whose answer was lost by reading whether it was made. The change is never sent again. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import type { AskSite, Shown } from '@/lib/portal/subjects/sites/shown-changes'
import type { EndedJob } from '@/lib/portal/subjects/sites/slow-work'
import { callConnection } from '@/lib/portal/upstream/unattended'
import type { JobEnd } from './job-log'
import { findWithheldFrom } from './way'

// A gateway may give up long before the service behind it is done.
const patienceMs = 30_000
const everyMs = 1_500

/** The end as a read shows it, or the one given. `forMs`: how long an unknown outcome is read again. */
export async function readBack(job: EndedJob, shown: Shown, given: JobEnd, forMs = patienceMs): Promise<JobEnd> {
  if (given.state !== 'unknown' && given.state !== 'interrupted') return given
  const ask = await createAsk(job)
  if (!ask) return given
  const intent = await db().auditRow.findFirst({ where: { requestId: job.row.id, stage: 'intent' }, select: { detail: true } })
  const detail = readDetail(intent?.detail ?? '')
  const change = {
    jobId: job.row.id,
    fieldOf: (name: string) => String(detail[`field.${name}`] ?? ''),
    about: String(detail.about ?? ''),
    since: job.row.startedAt,
  }
  const until = Date.now() + (given.state === 'unknown' ? forMs : 0)
  for (;;) {
    if (await shown(ask, change)) return { state: 'done', problem: null }
    if (Date.now() >= until) return given
    await pause(Math.min(everyMs, until - Date.now()), undefined, { ref: false })
  }
}

/** Null for a job that has no site or no connection any more. */
async function createAsk({ row, connection }: EndedJob): Promise<AskSite | null> {
  const site = row.siteId === null ? null : await db().site.findUnique({ where: { id: row.siteId } })
  if (!site || !connection) return null
  return async (read) => {
    // Not through a connection that is frozen or not lent any more: nobody would see this use.
    if (await findWithheldFrom(row.id, connection.id)) return null
    const request = prepareRequest(read, { connection, server: null, pathParameters: { site_id: site.upstreamId } }, {})
    const outcome = request.ok ? await callConnection(connection, read, request.data) : request
    // What is missing from an answer that is incomplete may still be there.
    return outcome.ok && !outcome.cut && !outcome.unreadable ? outcome.data : null
  }
}
