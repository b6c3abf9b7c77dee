/**
 * A portal without pages on a shared database, to be stopped and killed: it takes part among the others, and starts the install asked for.
 * argv: the server's and the session's opaque id, or nothing. Says `ready` before it starts the install. Ends in order at SIGTERM.
 */
import { contract } from '@/lib/contract'
import { joinPortals } from '@/lib/portal/base/portals/join'
import { openRing } from '@/lib/portal/custody/ring'
import { finishWork } from '@/lib/portal/entry/stop'
import { takeOverRegularly } from '@/lib/portal/entry/take-over'
import { recheckActor } from '@/lib/portal/identity/actor'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'

const [serverId, sessionId] = process.argv.slice(2)

await openRing()
await joinPortals()
await resumeJobs()
takeOverRegularly()
process.once('SIGTERM', () => void finishWork().finally(() => process.exit(0)))
// Until it is killed.
setInterval(() => {}, 60_000)
const actor = sessionId === undefined ? null : await recheckActor(sessionId)
process.stdout.write('ready\n')
if (actor && serverId !== undefined) await startJob(actor, contract.servers.install, { serverId })
