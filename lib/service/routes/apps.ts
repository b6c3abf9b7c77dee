/** The application of a site, and its staging copy. */
import type { apps } from '@/lib/contract/operations/apps'
import { notBuilt, type SubjectChecks, type SubjectRoutes } from './call'
import { stagingChecks, stagingRoutes } from './staging'

export const appsRoutes: SubjectRoutes<typeof apps> = {
  get: notBuilt,
  install: notBuilt,
  ...stagingRoutes,
}

export const appsChecks: SubjectChecks<typeof apps> = stagingChecks
