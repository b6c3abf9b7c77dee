/** Routes of the subject serverBackups: none is built yet. */
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { notBuilt, type SubjectRoutes } from './call'

export const serverBackupsRoutes: SubjectRoutes<typeof serverBackups> = {
  list: notBuilt,
  delete: notBuilt,
}
