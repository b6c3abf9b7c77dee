/** Starts the portal's process: claims its database, opens the key ring, prepares the team, resumes its jobs and starts the sampler. */
import 'server-only'
import { claimPlace, portalPlace } from '@/lib/database/place'
import { log } from '@/lib/log'
import { expireHeldRegularly } from '@/lib/portal/approvals/expire'
import { sendDueRegularly } from '@/lib/portal/approvals/later'
import { startHeads } from '@/lib/portal/audit/heads/write'
import { joinPortals } from '@/lib/portal/base/portals/join'
import { hearPresence } from '@/lib/portal/base/presence'
import { forgetForwardedHeaders } from '@/lib/portal/base/request/forwarded'
import { resumeBatches } from '@/lib/portal/batches/runner'
import { openRing } from '@/lib/portal/custody/ring'
import { deliverRegularly } from '@/lib/portal/delivery/deliver'
import { copyNightly } from '@/lib/portal/jobs/night-copies/regularly'
import { followNightRunsRegularly } from '@/lib/portal/jobs/night-runs'
import { watchElsewhere } from '@/lib/portal/jobs/relay/elsewhere'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { recordServerEventsRegularly } from '@/lib/portal/jobs/server-events'
import { settleLostCopiesRegularly } from '@/lib/portal/subjects/backup-targets/lost-copies'
import { startSampler } from '@/lib/portal/subjects/sampling/sampler'
import { watchMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { watchAccessRequests } from '@/lib/portal/subjects/team/requests/close'
import { raiseRegularly } from '@/lib/portal/views/home/raise'
import { getSettings } from '@/lib/settings/settings'
import { readVersion } from '@/lib/version'
import { setActionKey } from './action-key'
import { refuseStart } from './launcher-channel'
import { serveMetrics } from './metrics/serve'
import { backUpPortal, watchServiceBackups } from './own-backups'
import { prepare } from './prepare'
import { pruneDaily } from './retention/daily'
import { announceEnd, finishWork } from './stop'
import { takeOverRegularly } from './take-over'

/** Starts the portal, or tells the launcher why it may not run here and ends the process. */
export async function startPortal(): Promise<void> {
  forgetForwardedHeaders(getSettings().trustedProxies)
  // The launcher has the other end of this channel; if it is gone, nothing would ever stop this process. `connected` is then false; it is
  // undefined if there never was a channel.
  if (process.connected === false) process.exit(0)
  if (process.channel) process.once('disconnect', () => void finishWork().finally(() => process.exit(0)))
  try {
    claimPlace(portalPlace(getSettings()))
    await openRing()
    setActionKey()
    await prepare()
  } catch (error) {
    await refuseStart(error)
  }
  await startHeads()
  await joinPortals()
  // main.mjs, which is outside Next's bundles, awaits this before it ends the process.
  Object.assign(globalThis, { gatehouseFinishWork: finishWork, gatehouseAnnounceEnd: announceEnd })
  await resumeJobs()
  await resumeBatches()
  takeOverRegularly()
  watchElsewhere()
  hearPresence()
  await expireHeldRegularly()
  sendDueRegularly()
  pruneDaily()
  backUpPortal()
  watchServiceBackups()
  watchMembershipEnds()
  watchAccessRequests()
  raiseRegularly()
  deliverRegularly()
  followNightRunsRegularly()
  copyNightly()
  recordServerEventsRegularly()
  settleLostCopiesRegularly()
  const { metricsPort, sampleEveryMs } = getSettings()
  if (sampleEveryMs !== null) startSampler(sampleEveryMs)
  if (metricsPort !== null) serveMetrics(metricsPort)
  log.info({ version: readVersion(), node: process.version }, 'portal ready')
}
