/** All operations, by subject, as a list, and by id: the 48 of the interface, and Gatehouse's extensions. */
import type { Operation } from '@/lib/contract/operation'
import { aliases } from '@/lib/contract/operations/aliases'
import { apps } from '@/lib/contract/operations/apps'
import { backups } from '@/lib/contract/operations/backups'
import { copies } from '@/lib/contract/operations/copies'
import { cron } from '@/lib/contract/operations/cron'
import { database } from '@/lib/contract/operations/database'
import { email } from '@/lib/contract/operations/email'
import { firewall } from '@/lib/contract/operations/firewall'
import { lastBackups } from '@/lib/contract/operations/last-backups'
import { logs } from '@/lib/contract/operations/logs'
import { mail } from '@/lib/contract/operations/mail'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { servers } from '@/lib/contract/operations/servers'
import { services } from '@/lib/contract/operations/services'
import { sftp } from '@/lib/contract/operations/sftp'
import { sites } from '@/lib/contract/operations/sites'
import { ssl } from '@/lib/contract/operations/ssl'
import { users } from '@/lib/contract/operations/users'

export const contract = {
  servers,
  services,
  cron,
  users,
  firewall,
  logs,
  mail,
  serverBackups,
  lastBackups,
  sites,
  sftp,
  ssl,
  database,
  apps,
  aliases,
  backups,
  copies,
  email,
}

/** The operations of the interface and the extensions: everything that applies to operations applies to all of these. */
export const operations: readonly Operation[] = Object.values(contract).flatMap((verbs): Operation[] => Object.values(verbs))

/** The operations that every service of the interface has. */
export const interfaceOperations: readonly Operation[] = operations.filter(({ extension }) => !extension)

/** The operations of services that announce extensions; their definitions are marked `extension`. */
export const extensionOperations: readonly Operation[] = operations.filter(({ extension }) => extension)

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.id, operation]))

type IdsIn<Verbs, Like> = { [Verb in keyof Verbs]: Verbs[Verb] extends Like & { id: infer Id extends string } ? Id : never }[keyof Verbs]

type IdsLike<Like> = { [Subject in keyof typeof contract]: IdsIn<(typeof contract)[Subject], Like> }[keyof typeof contract]

/** `servers.list`, `cron.save`, … */
export type OperationId = IdsLike<unknown>

/** The ids of slow operations, which are jobs of the portal and runs of the bundled service. */
export type SlowOperationId = IdsLike<{ pace: 'slow' }>

/** Those that work on a whole server. */
export type SlowServerOperationId = IdsLike<{ pace: 'slow'; stream: true }>

/** The others work on a site, or on the backups of a server itself, which other work on its sites does not wait for. */
export type SlowSiteOperationId = Exclude<SlowOperationId, SlowServerOperationId>

/** The ids of operations whose definition contains the words for Activity. */
export type ToldOperationId = IdsLike<{ activity: unknown }>

/** The operation with that id, such as `cron.save`; undefined if there is none. */
export function findOperation(id: string): Operation | undefined {
  return byId.get(id)
}

/** False for what rows of another version may contain, and for quick operations. */
export const isSlowOperation = (id: string): id is SlowOperationId => isSlowServerOperation(id) || isSlowSiteOperation(id)

export function isSlowServerOperation(id: string): id is SlowServerOperationId {
  const found = findOperation(id)
  return found?.pace === 'slow' && found.stream === true
}

export function isSlowSiteOperation(id: string): id is SlowSiteOperationId {
  const found = findOperation(id)
  return found?.pace === 'slow' && found.stream !== true
}
