/** Which role may do what. Finer rules (which servers, which connections) are checked on the rows. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'

/** Owner and admin differ from operator in what they may do with users and connections, not with servers. */
const effectsOf: Readonly<Record<Role, readonly Effect[]>> = {
  owner: ['read', 'export', 'change', 'destroy'],
  admin: ['read', 'export', 'change', 'destroy'],
  operator: ['read', 'export', 'change', 'destroy'],
  viewer: ['read'],
}

/** Whether the role may run operations with that effect. An unknown role may do nothing. */
export function mayRun(role: Role, effect: Effect): boolean {
  return Object.hasOwn(effectsOf, role) && effectsOf[role].includes(effect)
}

/** Who owns a connection: the team or one person. */
export type Keeper = 'team' | 'own'

/** Whether the role may add, change and remove connections. Those of the team are managed by owners and admins. */
export function mayKeep(role: Role, keeper: Keeper): boolean {
  return role === 'owner' || role === 'admin' || (keeper === 'own' && role === 'operator')
}
