/** Routes of the subject logs: none is built yet. */
import type { logs } from '@/lib/contract/operations/logs'
import { notBuilt, type SubjectRoutes } from './call'

export const logsRoutes: SubjectRoutes<typeof logs> = {
  fetch: notBuilt,
}
