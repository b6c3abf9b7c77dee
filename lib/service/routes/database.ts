/** Routes of the subject database: none is built yet. */
import type { database } from '@/lib/contract/operations/database'
import { notBuilt, type SubjectRoutes } from './call'

export const databaseRoutes: SubjectRoutes<typeof database> = {
  get: notBuilt,
  tables: notBuilt,
  save: notBuilt,
}
