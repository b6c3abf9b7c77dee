'use server'

import { repeatBatchAction, startBatchAction, stopBatchAction } from '@/lib/portal/entry/batches'

/** Takes `operation`, `targets` (JSON: ids in order), `mode`, `atOnce` and, where the operation needs it, `confirmName`. */
export const startBatch = startBatchAction()

/** Takes `batchId`. What runs is finished. */
export const stopBatch = stopBatchAction()

/** Takes `batchId` and, where the operation needs it, `confirmName`. */
export const repeatBatch = repeatBatchAction()
