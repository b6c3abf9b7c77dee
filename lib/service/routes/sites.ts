/** Routes of the subject sites: none is built yet. */
import type { sites } from '@/lib/contract/operations/sites'
import { notBuilt, type SubjectRoutes } from './call'

export const sitesRoutes: SubjectRoutes<typeof sites> = {
  list: notBuilt,
  create: notBuilt,
  summary: notBuilt,
  settings: notBuilt,
  download: notBuilt,
  delete: notBuilt,
}
