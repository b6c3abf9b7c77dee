/** Routes of the subject cron: none is built yet. */
import type { cron } from '@/lib/contract/operations/cron'
import { notBuilt, type SubjectRoutes } from './call'

export const cronRoutes: SubjectRoutes<typeof cron> = {
  list: notBuilt,
  save: notBuilt,
  delete: notBuilt,
}
