'use server'

import { servers } from '@/lib/contract/operations/servers'
import { portalAction } from '@/lib/portal/entry/action'
import { retryJob as retry } from '@/lib/portal/entry/retry-job'
import { cancelJobAction } from '@/lib/portal/jobs/cancel'
import { stopFollowingAction } from '@/lib/portal/jobs/stop-following'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Takes `jobId`. The work itself is not stopped. */
export const stopFollowing = stopFollowingAction()

/** Takes `jobId`. What was done until then is taken back. */
export const cancelJob = cancelJobAction()

/** Takes `jobId`, of a job that failed or was cancelled. */
export const retryJob = ownAction('jobs.retry', retry)

export const upgradeServer = portalAction(servers.upgrade)

/** Takes `serverId` and `status`: 1, or 0. */
export const upgradeServerAtNight = portalAction(servers.upgradeAtNight)

/** Takes `serverId` and `security`, 1 for updates of security only. */
export const applyUpdates = portalAction(servers.applyUpdates)

export const revertUpgrade = portalAction(servers.revertUpgrade)
