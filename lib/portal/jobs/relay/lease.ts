/** Which process a job's relay belongs to. Rows are written only under the lease they carry. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { processState } from '@/lib/portal/base/process-state'

/** Random per process, so a restarted process is a different one. */
export const processLease = processState('lease', () => randomBytes(16).toString('base64url'))
