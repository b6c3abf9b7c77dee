/**
 * A portal's relay without pages, to be killed: takes jobs of a former process on, then starts the install asked for.
 * argv: the server's and the session's opaque id, or nothing. Says `ready` before it starts the install, `over` when no
 * job is under way any more.
 */
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { openRing } from '@/lib/portal/custody/ring'
import { recheckActor } from '@/lib/portal/identity/actor'
import { countRelays } from '@/lib/portal/jobs/relay/relay'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'

const [serverId, sessionId] = process.argv.slice(2)

await openRing()
await resumeJobs({ firstRetryMs: 50, lastRetryMs: 500, awayMs: 60_000, giveUpMs: 60_000, arriveMs: 2_000 })
const actor = sessionId === undefined ? null : await recheckActor(sessionId)
process.stdout.write('ready\n')
if (actor && serverId !== undefined) await startJob(actor, contract.servers.install, { serverId })
// Relays write the outcome to the audit log after the job has ended.
while ((await db().job.count({ where: { endedAt: null } })) > 0 || countRelays() > 0)
  await new Promise((resolve) => setTimeout(resolve, 50))
process.stdout.write('over\n')
process.exit(0)
