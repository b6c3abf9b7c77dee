'use server'

import { stopFollowingAction } from '@/lib/portal/jobs/stop-following'

/** Takes `jobId`. The work itself is not stopped. */
export const stopFollowing = stopFollowingAction()
