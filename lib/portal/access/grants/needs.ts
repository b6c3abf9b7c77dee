/** What an operation needs of a right, and where it acts. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Need } from './grant'

export const needOf = ({ id, subject, grantedWith, effect, root }: Operation): Need => ({
  id,
  subject,
  grantedWith,
  effect,
  root: root === true,
})

/** What an operation acts on: a server, a site, or a service as a whole. */
export function targetKindOf({ path }: Pick<Operation, 'path'>): 'server' | 'site' | 'connection' {
  if (path.includes('{server_id}')) return 'server'
  return path.includes('{site_id}') ? 'site' : 'connection'
}
