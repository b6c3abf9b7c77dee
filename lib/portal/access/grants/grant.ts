/** A grant: what somebody may do on some servers and sites, as far as their role allows it. docs/decisions/070-grants.md */
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'

/** A server includes its sites; a label includes all servers and sites that carry it. */
export type GrantScope = { kind: 'everything' } | { kind: 'server' | 'site'; id: string } | { kind: 'label'; name: string }

/**
 * Either userId or role is set. subjects and effects: operations that have one of each, also those that later versions add. operations:
 * single ones, by id. root: also operations that amount to root on a server. Times in ms since 1970; until: not valid from then on.
 */
export type Grant = {
  id: string
  userId: string | null
  role: Role | null
  scopes: readonly GrantScope[]
  subjects: 'all' | readonly string[]
  effects: readonly Effect[]
  operations: readonly string[]
  root: boolean
  from: number
  until: number | null
}

/** A server or site that carries a label. */
export type Labelled = { kind: 'server' | 'site'; id: string; name: string }

/** Whose rights are compiled. */
export type Grantee = { userId: string | null; role: Role }

/** Where an operation acts. A site's server is null while it is unknown. everywhere: on the service as a whole. */
export type Place =
  | { kind: 'everywhere' }
  | { kind: 'server'; serverId: string }
  | { kind: 'site'; siteId: string; serverId: string | null }

/** What an operation needs. root: it amounts to root on the server. */
export type Need = { id: string; subject: string; grantedWith?: string | undefined; effect: Effect; root: boolean }
