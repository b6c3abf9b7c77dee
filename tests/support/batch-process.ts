/**
 * A portal's batches without pages, to be killed: takes over the jobs and batches of the process before, and starts a batch of backups of
 * all sites if a session's opaque id is given. Says `ready` once they run, and `over` when none runs any more.
 */
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { resumeBatches } from '@/lib/portal/batches/runner'
import { startBatch } from '@/lib/portal/batches/start'
import { openRing } from '@/lib/portal/custody/ring'
import { recheckActor } from '@/lib/portal/identity/actor'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'

const [sessionId] = process.argv.slice(2)

await openRing()
await resumeJobs({ firstRetryMs: 50, lastRetryMs: 500, awayMs: 60_000, giveUpMs: 60_000 })
await resumeBatches()
const actor = sessionId === undefined ? null : await recheckActor(sessionId)
if (actor) {
  const sites = await db().site.findMany({ orderBy: { domain: 'asc' } })
  const given = { operation: 'backups.create', mode: 'goOn', atOnce: '4', confirmName: '', stepUp: async () => null }
  await startBatch(actor, { ...given, targets: sites.map(({ id }) => ({ id, fields: {} })) }, createOpaqueId())
}
process.stdout.write('ready\n')
while ((await db().batch.count({ where: { endedAt: null } })) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
process.stdout.write('over\n')
process.exit(0)
