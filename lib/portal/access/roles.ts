/** Which role may do what. The finer rules (whose server, whose key) are held elsewhere, on the rows. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'

/** Owner and admin differ from operator in what they may do with people and keys, not with servers. */
const effectsOf: Readonly<Record<Role, readonly Effect[]>> = {
  owner: ['read', 'change', 'destroy'],
  admin: ['read', 'change', 'destroy'],
  operator: ['read', 'change', 'destroy'],
  viewer: ['read'],
}

/** Whether the role may run operations of that effect. A role that is not known may nothing. */
export function mayRun(role: Role, effect: Effect): boolean {
  return Object.hasOwn(effectsOf, role) && effectsOf[role].includes(effect)
}

/** Whose a connection is: everybody's in the team, or one person's own. */
export type Keeper = 'team' | 'own'

/** Whether the role may add, change and remove connections: the team's are its owners' and admins' to keep. */
export function mayKeep(role: Role, keeper: Keeper): boolean {
  return role === 'owner' || role === 'admin' || (keeper === 'own' && role === 'operator')
}
