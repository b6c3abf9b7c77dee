/** Routes of the subject users: none is built yet. */
import type { users } from '@/lib/contract/operations/users'
import { notBuilt, type SubjectRoutes } from './call'

export const usersRoutes: SubjectRoutes<typeof users> = {
  list: notBuilt,
  save: notBuilt,
  delete: notBuilt,
}
