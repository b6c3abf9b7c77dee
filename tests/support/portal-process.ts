/**
 * A portal without pages on a shared database, to be stopped and killed: it takes part among the others, and starts the install asked for.
 * argv: the server's and the session's opaque id, or nothing. Says `ready` before it starts the install. Ends in order at SIGTERM. With DESK_PORT it also
 * answers there over HTTP (portal-desk.ts), and ends as the portal's own server does.
 */
import { contract } from '@/lib/contract'
import { joinPortals } from '@/lib/portal/base/portals/join'
import { openRing } from '@/lib/portal/custody/ring'
import { endInOrder } from '@/lib/portal/entry/front/end-in-order.mjs'
import { createFrontServer } from '@/lib/portal/entry/front/server.mjs'
import { announceEnd, finishWork } from '@/lib/portal/entry/stop'
import { takeOverRegularly } from '@/lib/portal/entry/take-over'
import { recheckActor } from '@/lib/portal/identity/actor'
import { watchElsewhere } from '@/lib/portal/jobs/relay/elsewhere'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'

const [serverId, sessionId] = process.argv.slice(2)
const port = process.env.DESK_PORT

await openRing()
await joinPortals()
await resumeJobs()
takeOverRegularly()
if (port === undefined) process.once('SIGTERM', () => void finishWork().finally(() => process.exit(0)))
else await openDesk(Number(port))
// Until it is killed.
setInterval(() => {}, 60_000)
const actor = sessionId === undefined ? null : await recheckActor(sessionId)
process.stdout.write('ready\n')
if (actor && serverId !== undefined) await startJob(actor, contract.servers.install, { serverId })

async function openDesk(number: number): Promise<void> {
  const { answerAtDesk } = await import('./portal-desk')
  watchElsewhere()
  Object.assign(globalThis, { gatehouseFinishWork: finishWork, gatehouseAnnounceEnd: announceEnd })
  const server = createFrontServer(answerAtDesk)
  endInOrder(server)
  await new Promise<void>((resolve) => server.listen(number, '127.0.0.1', resolve))
}
