/** Routes of the subject backups: none is built yet. */
import type { backups } from '@/lib/contract/operations/backups'
import { notBuilt, type SubjectRoutes } from './call'

export const backupsRoutes: SubjectRoutes<typeof backups> = {
  list: notBuilt,
  create: notBuilt,
  restore: notBuilt,
  delete: notBuilt,
}
