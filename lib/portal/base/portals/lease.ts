/** Identifies this process among the portals of a database. Rows of a job are written only under the job's lease. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { processState } from '../process-state'

/** Random per process, so a restarted process has another one. */
export const processLease = processState('lease', () => randomBytes(16).toString('base64url'))
