/** Routes of the subject mail: none is built yet. */
import type { mail } from '@/lib/contract/operations/mail'
import { notBuilt, type SubjectRoutes } from './call'

export const mailRoutes: SubjectRoutes<typeof mail> = {
  list: notBuilt,
  delete: notBuilt,
}
