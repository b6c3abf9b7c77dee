'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { excludeFromPlans as exclude, removeBackupPlan as remove, setBackupPlan as set } from '@/lib/portal/subjects/backup-plans/change'

/** Takes `place`, `placeId`, `targetId`, `hour`, `timeZone`, `limitKb`, `keepDaily`, `keepWeekly`, `keepMonthly` and `confirmCount`. */
export const setBackupPlan = ownAction('backupPlan.set', set)

/** Takes `place` and `placeId`. */
export const excludeFromPlans = ownAction('backupPlan.exclude', exclude)

/** Takes `place` and `placeId`. */
export const removeBackupPlan = ownAction('backupPlan.remove', remove)
