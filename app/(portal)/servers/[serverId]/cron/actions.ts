'use server'

import { removeJobAction, replaceJobAction, saveJobAction } from '@/lib/portal/subjects/cron/action'

export const saveCronJob = saveJobAction()

export const replaceCronJob = replaceJobAction()

export const deleteCronJob = removeJobAction()
