/** The whole interface: 48 operations by subject, as a list, and by id. */
import type { Operation } from './operation'
import { aliases } from './operations/aliases'
import { apps } from './operations/apps'
import { backups } from './operations/backups'
import { cron } from './operations/cron'
import { database } from './operations/database'
import { email } from './operations/email'
import { firewall } from './operations/firewall'
import { logs } from './operations/logs'
import { mail } from './operations/mail'
import { serverBackups } from './operations/server-backups'
import { servers } from './operations/servers'
import { sites } from './operations/sites'
import { ssl } from './operations/ssl'
import { users } from './operations/users'

export const contract = {
  servers,
  cron,
  users,
  firewall,
  logs,
  mail,
  serverBackups,
  sites,
  ssl,
  database,
  apps,
  aliases,
  backups,
  email,
}

type Subjects = typeof contract

/** Every id there is: 'servers.list', 'cron.save', … */
export type OperationId = { [S in keyof Subjects]: `${S}.${keyof Subjects[S] & string}` }[keyof Subjects]

export const operations: readonly Operation[] = Object.values(contract).flatMap((verbs): Operation[] => Object.values(verbs))

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.id, operation]))

/** The operation with that id, e.g. `cron.save`; undefined when there is none. */
export function findOperation(id: string): Operation | undefined {
  return byId.get(id)
}
