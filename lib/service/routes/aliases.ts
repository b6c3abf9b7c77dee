/** Routes of the subject aliases: none is built yet. */
import type { aliases } from '@/lib/contract/operations/aliases'
import { notBuilt, type SubjectRoutes } from './call'

export const aliasesRoutes: SubjectRoutes<typeof aliases> = {
  list: notBuilt,
  save: notBuilt,
  delete: notBuilt,
}
