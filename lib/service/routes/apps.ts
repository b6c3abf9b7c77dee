/** Routes of the subject apps: none is built yet. */
import type { apps } from '@/lib/contract/operations/apps'
import { notBuilt, type SubjectRoutes } from './call'

export const appsRoutes: SubjectRoutes<typeof apps> = {
  get: notBuilt,
  pull: notBuilt,
  push: notBuilt,
  install: notBuilt,
  staging: notBuilt,
}
