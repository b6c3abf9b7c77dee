/** Routes of the subject ssl: none is built yet. */
import type { ssl } from '@/lib/contract/operations/ssl'
import { notBuilt, type SubjectRoutes } from './call'

export const sslRoutes: SubjectRoutes<typeof ssl> = {
  set: notBuilt,
}
