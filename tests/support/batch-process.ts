/**
 * A portal's batches without pages, to be killed: takes over the jobs and batches of the process before, and starts a batch if one is given.
 * argv: a session's opaque id, the operation, and the targets as JSON; or nothing. Says `ready` once they run, and `over` when none runs any more.
 */
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { resumeBatches } from '@/lib/portal/batches/runner'
import { startBatch } from '@/lib/portal/batches/start'
import { openRing } from '@/lib/portal/custody/ring'
import { recheckActor } from '@/lib/portal/identity/actor'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'

const [sessionId, operation = '', targets = '[]'] = process.argv.slice(2)

await openRing()
await resumeJobs({ firstRetryMs: 50, lastRetryMs: 500, awayMs: 60_000, giveUpMs: 60_000, arriveMs: 2_000 })
await resumeBatches()
const actor = sessionId === undefined ? null : await recheckActor(sessionId)
if (actor) {
  const given = { operation, targets: JSON.parse(targets), mode: 'goOn', atOnce: '4', confirmName: '', stepUp: async () => null }
  await startBatch(actor, given, createOpaqueId())
}
process.stdout.write('ready\n')
while ((await db().batch.count({ where: { endedAt: null } })) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
process.stdout.write('over\n')
process.exit(0)
