/** Routes of the subject email: none is built yet. */
import type { email } from '@/lib/contract/operations/email'
import { notBuilt, type SubjectRoutes } from './call'

export const emailRoutes: SubjectRoutes<typeof email> = {
  get: notBuilt,
  set: notBuilt,
  save: notBuilt,
  delete: notBuilt,
}
