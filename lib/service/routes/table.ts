/** Every operation's handler. A missing one does not compile. */
import type { ProgressEvent } from '@/lib/contract/events'
import { type contract, operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { aliasesRoutes } from './aliases'
import { appsRoutes } from './apps'
import { backupsRoutes } from './backups'
import type { Call, SubjectRoutes } from './call'
import { cronRoutes } from './cron'
import { databaseRoutes } from './database'
import { emailRoutes } from './email'
import { firewallRoutes } from './firewall'
import { logsRoutes } from './logs'
import { mailRoutes } from './mail'
import { serverBackupsRoutes } from './server-backups'
import { serversRoutes } from './servers'
import { sitesRoutes } from './sites'
import { sslRoutes } from './ssl'
import { usersRoutes } from './users'

type Contract = typeof contract

const table: { [Subject in keyof Contract]: SubjectRoutes<Contract[Subject]> } = {
  servers: serversRoutes,
  cron: cronRoutes,
  users: usersRoutes,
  firewall: firewallRoutes,
  logs: logsRoutes,
  mail: mailRoutes,
  serverBackups: serverBackupsRoutes,
  sites: sitesRoutes,
  ssl: sslRoutes,
  database: databaseRoutes,
  apps: appsRoutes,
  aliases: aliasesRoutes,
  backups: backupsRoutes,
  email: emailRoutes,
}

/** A handler whose operation is known at run time only: what it takes and gives was checked where the table was written. */
export type AnyHandler = (call: Call<Operation>) => Promise<Record<string, unknown> | AsyncIterable<ProgressEvent>>

const bySubject: Readonly<Record<string, Readonly<Record<string, unknown>>>> = table

function handlerOf({ id, subject }: Operation): AnyHandler {
  const verb = id.slice(subject.length + 1)
  // The table's type says that there is one for each operation; only the lookup by name loses it.
  return bySubject[subject]?.[verb] as AnyHandler
}

/** The handlers by operation id. */
export const handlers: ReadonlyMap<string, AnyHandler> = new Map(operations.map((operation) => [operation.id, handlerOf(operation)]))
