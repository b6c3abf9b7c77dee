'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { exportLog } from '@/lib/portal/views/activity/export-log'

export const askForExport = ownAction('activity.export', exportLog)
