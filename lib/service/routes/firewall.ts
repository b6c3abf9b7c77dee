/** Routes of the subject firewall: none is built yet. */
import type { firewall } from '@/lib/contract/operations/firewall'
import { notBuilt, type SubjectRoutes } from './call'

export const firewallRoutes: SubjectRoutes<typeof firewall> = {
  get: notBuilt,
  toggle: notBuilt,
  saveRule: notBuilt,
  deleteRule: notBuilt,
}
