/** What each role may do. Finer rules (which servers, which connections) are checked on the rows. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'

/** Owners and admins can do more than operators with users and connections, but not with servers. */
const effectsOf: Readonly<Record<Role, readonly Effect[]>> = {
  owner: ['read', 'export', 'change', 'destroy'],
  admin: ['read', 'export', 'change', 'destroy'],
  operator: ['read', 'export', 'change', 'destroy'],
  viewer: ['read'],
}

/** Whether the role may run operations with that effect. An unknown role may run none. */
export function mayRun(role: Role, effect: Effect): boolean {
  return Object.hasOwn(effectsOf, role) && effectsOf[role].includes(effect)
}

/** Who owns a connection: the team or one user. */
export type Keeper = 'team' | 'own'

/** Whether the role may add, change and remove connections of that owner. Only owners and admins manage the team's. */
export function mayKeep(role: Role, keeper: Keeper): boolean {
  return role === 'owner' || role === 'admin' || (keeper === 'own' && role === 'operator')
}
