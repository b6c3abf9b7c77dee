/** All operations' handlers, behind the limits of their fields. A missing one is a compile error. */
import type { ProgressEvent } from '@/lib/contract/events'
import { type contract, operations } from '@/lib/contract/index'
import { applyLimits } from '@/lib/contract/limits'
import type { Input, Operation } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { SlowWork } from '../runs/slow-work'
import { findServerOfSite } from '../store/sites'
import { aliasesChecks, aliasesRoutes } from './aliases'
import { appsChecks, appsRoutes } from './apps'
import { backupsChecks, backupsRoutes } from './backups'
import { type Call, type Refusals, requireMachine, type SubjectChecks, type SubjectReadings, type SubjectRoutes } from './call'
import { copiesChecks, copiesRoutes } from './copies'
import { cronChecks, cronRoutes } from './cron'
import { databaseRoutes } from './database'
import { emailChecks, emailReadings, emailRoutes } from './email'
import { firewallChecks, firewallRoutes } from './firewall'
import { lastBackupsChecks, lastBackupsRoutes } from './last-backups'
import { logsChecks, logsReadings, logsRoutes } from './logs'
import { mailChecks, mailRoutes } from './mail'
import { serverBackupsChecks, serverBackupsRoutes } from './server-backups'
import { serversChecks, serversRoutes } from './servers'
import { servicesChecks, servicesRoutes } from './services'
import { sftpRoutes } from './sftp'
import { sitesChecks, sitesRoutes } from './sites'
import { sslRoutes } from './ssl'
import { usersRoutes } from './users'

type Contract = typeof contract

const table: { [Subject in keyof Contract]: SubjectRoutes<Contract[Subject]> } = {
  servers: serversRoutes,
  services: servicesRoutes,
  cron: cronRoutes,
  users: usersRoutes,
  firewall: firewallRoutes,
  logs: logsRoutes,
  mail: mailRoutes,
  serverBackups: serverBackupsRoutes,
  lastBackups: lastBackupsRoutes,
  sites: sitesRoutes,
  sftp: sftpRoutes,
  ssl: sslRoutes,
  database: databaseRoutes,
  apps: appsRoutes,
  aliases: aliasesRoutes,
  backups: backupsRoutes,
  copies: copiesRoutes,
  email: emailRoutes,
}

const checks: { [Subject in keyof Contract]?: SubjectChecks<Contract[Subject]> } = {
  servers: serversChecks,
  services: servicesChecks,
  cron: cronChecks,
  firewall: firewallChecks,
  logs: logsChecks,
  mail: mailChecks,
  aliases: aliasesChecks,
  apps: appsChecks,
  email: emailChecks,
  backups: backupsChecks,
  copies: copiesChecks,
  serverBackups: serverBackupsChecks,
  lastBackups: lastBackupsChecks,
  sites: sitesChecks,
}

const readings: { [Subject in keyof Contract]?: SubjectReadings<Contract[Subject]> } = { email: emailReadings, logs: logsReadings }

/** A handler whose operation is known only at run time; the tables check the types. */
export type AnyHandler = (call: Call<Operation>) => Promise<Record<string, unknown> | AsyncIterable<ProgressEvent> | SlowWork | null>

type AnyReading = (call: Call<Operation>) => Promise<Input<Operation>>
type AnyCheck = (input: Input<Operation>) => Refusals

type BySubject = Readonly<Record<string, Readonly<Record<string, unknown>>>>

function handlerOf(operation: Operation): AnyHandler {
  const { id, subject } = operation
  const verb = id.slice(subject.length + 1)
  // The tables are typed per operation; the lookup by name loses that.
  const handler = (table as BySubject)[subject]?.[verb] as AnyHandler
  const check = (checks as BySubject)[subject]?.[verb] as AnyCheck | undefined
  const read = (readings as BySubject)[subject]?.[verb] as AnyReading | undefined
  return withinLimits(operation, mindingReboots(handler), { read, check })
}

/** Answers `rebooting` for a server that is going down, and for failures that a reboot explains. */
function mindingReboots(handler: AnyHandler): AnyHandler {
  return async (call) => {
    const { reboots } = call.service
    const id = await findServer(call)
    if (id === null) return handler(call)
    if (reboots.isGoingDown(id)) {
      // Checked first, so that a server of another account is reported as missing even during a reboot.
      await requireMachine({ ...call, input: { server_id: id } })
      throw new Refused(problem('rebooting'))
    }
    try {
      return await handler(call)
    } catch (error) {
      throw reboots.explains(id, error) ? new Refused(problem('rebooting')) : error
    }
  }
}

/** The server that a call is about: the one it names, or that of its site. */
async function findServer({ service, accountId, input }: Call<Operation>): Promise<string | null> {
  const { server_id: named, server, site_id: site }: Readonly<Record<string, unknown>> = input
  if (typeof named === 'string') return named
  if (typeof server === 'string') return server
  return typeof site === 'string' ? findServerOfSite(service.store, accountId, site) : null
}

/** Throws Refused invalid with a reason for each field that is refused. */
function withinLimits(
  operation: Operation,
  handler: AnyHandler,
  { read, check }: { read: AnyReading | undefined; check: AnyCheck | undefined },
): AnyHandler {
  return async (call) => {
    const { input, refusals } = applyLimits(operation, (await read?.(call)) ?? call.input)
    const checked = Object.entries(check?.(input) ?? {}).flatMap(([name, why]) => (why === null ? [] : [[name, why] as const]))
    const fields = { ...refusals, ...Object.fromEntries(checked) }
    if (Object.keys(fields).length > 0) throw new Refused(problem('invalid', { fields }))
    return handler({ ...call, input })
  }
}

/** The handlers by operation id. */
export const handlers: ReadonlyMap<string, AnyHandler> = new Map(operations.map((operation) => [operation.id, handlerOf(operation)]))
