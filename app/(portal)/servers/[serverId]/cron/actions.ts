'use server'

import { cron } from '@/lib/contract/operations/cron'
import { portalAction } from '@/lib/portal/action'
import { removeJobAction, replaceJobAction } from '@/lib/portal/cron/action'

export const saveCronJob = portalAction(cron.save)

export const replaceCronJob = replaceJobAction()

export const deleteCronJob = removeJobAction()
