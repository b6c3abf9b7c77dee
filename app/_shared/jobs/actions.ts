'use server'

import { servers } from '@/lib/contract/operations/servers'
import { portalAction } from '@/lib/portal/entry/action'
import { cancelJobAction } from '@/lib/portal/jobs/cancel'
import { stopFollowingAction } from '@/lib/portal/jobs/stop-following'

/** Takes `jobId`. The work itself is not stopped. */
export const stopFollowing = stopFollowingAction()

/** Takes `jobId`. What was done until then is taken back. */
export const cancelJob = cancelJobAction()

export const upgradeServer = portalAction(servers.upgrade)

/** Takes `serverId` and `status`: 1, or 0. */
export const upgradeServerAtNight = portalAction(servers.upgradeAtNight)

export const revertUpgrade = portalAction(servers.revertUpgrade)
