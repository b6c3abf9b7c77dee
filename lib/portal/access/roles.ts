/** What each role may do: a table by subject of the portal and effect. Finer rules (which servers, which connections) are checked on the rows. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'

/** servers: the operations of services. The others are the portal's own. */
export type PortalSubject = 'servers' | 'team' | 'teamConnections' | 'ownConnections' | 'auditLog'

const everything: readonly Effect[] = ['read', 'export', 'change', 'destroy']
const reading: readonly Effect[] = ['read']

const table: Readonly<Record<Role, Readonly<Record<PortalSubject, readonly Effect[]>>>> = {
  owner: {
    servers: everything,
    team: everything,
    teamConnections: everything,
    ownConnections: everything,
    auditLog: everything,
  },
  admin: {
    servers: everything,
    team: everything,
    teamConnections: everything,
    ownConnections: everything,
    auditLog: everything,
  },
  operator: {
    servers: everything,
    team: reading,
    teamConnections: reading,
    ownConnections: everything,
    auditLog: ['read', 'export'],
  },
  viewer: {
    servers: reading,
    team: reading,
    teamConnections: reading,
    ownConnections: [],
    auditLog: reading,
  },
  // Has nothing but grants, which say all that it may do on servers.
  guest: {
    servers: everything,
    team: [],
    teamConnections: [],
    ownConnections: [],
    auditLog: [],
  },
}

/** Whether the role may do something with that effect to a subject. An unknown role may do nothing. */
export function may(role: Role, subject: PortalSubject, effect: Effect): boolean {
  return Object.hasOwn(table, role) && table[role][subject].includes(effect)
}

/** Whether the role may run operations of services with that effect. */
export const mayRun = (role: Role, effect: Effect): boolean => may(role, 'servers', effect)

/** Who owns a connection: the team or one user. */
export type Keeper = 'team' | 'own'

/** Whether the role may add, change and remove connections of that owner. */
export const mayKeep = (role: Role, keeper: Keeper): boolean =>
  may(role, keeper === 'team' ? 'teamConnections' : 'ownConnections', 'change')

/** Those that can be given, from the least to the most powerful. */
export const roles: readonly Role[] = ['guest', 'viewer', 'operator', 'admin', 'owner']

/** Whether somebody with role `own` may give `other` to a member, or change a member who has it: nobody reaches above their own role. */
export const mayManage = (own: Role, other: Role): boolean =>
  may(own, 'team', 'change') && roles.includes(other) && roles.indexOf(other) <= roles.indexOf(own)

/** What each role may do, in one sentence for the page Team. Describes the table above. */
export const roleSentences: Readonly<Record<Role, string>> = {
  owner: 'Can do everything, including changing owners.',
  admin: 'Can change servers, team connections and members, except owners.',
  operator: 'Can change servers and add own connections.',
  viewer: 'Can view everything and change nothing.',
  guest: 'Can do only what others gave access to.',
}

/** The names of roles on screens. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  operator: 'Operator',
  viewer: 'Viewer',
  guest: 'Guest',
}

/** Whether a text from a form is a role that can be given. */
export const isRole = (text: string): text is Role => roles.some((role) => role === text)
