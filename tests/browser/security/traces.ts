/** The effects of requests: rows of the portal's database and calls to the services behind it. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { openSqliteFile } from '../../support/sqlite-file'
import type { Estate } from './estate'

/**
 * Reads may update these: when something was last seen or used, and the status that a service reported. sentAt: once a notification was handed to
 * channels. failures, digestedOn: of a channel, by its own messages.
 */
const freshened = new Set(['sentAt', 'seenAt', 'listedAt', 'provenAt', 'lastUsedAt', 'state', 'extensions', 'failures', 'digestedOn'])

type Rows = ReadonlyMap<string, string>

async function readRows(estate: Estate): Promise<Rows> {
  using file = openSqliteFile(join(estate.place.dir, 'data/portal/portal.db'))
  // All tables of one moment: otherwise what Gatehouse ends meanwhile is in one table and not yet in another.
  file.run('BEGIN')
  const found = new Map<string, string>()
  for (const { name } of file.run(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)) {
    for (const row of file.run(`SELECT * FROM "${name}"`)) {
      const values = Object.entries(row).filter(([column]) => !freshened.has(column))
      found.set(JSON.stringify([name, ...values.map(([, value]) => show(value))]), String(name))
    }
  }
  return found
}

const show = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)

type Traces = {
  /** Rows that were added or removed, as JSON that begins with the table's name. */
  rows: string[]
  /** Calls to either service since then, as `METHOD path`. */
  calls: string[]
}

/** Whether it is the question of /api/health/ready, which anyone may ask and which carries no API key. */
export const isHealthCheck = ({ method, path, authorized }: { method: string; path: string; authorized: boolean }): boolean =>
  method === 'GET' && path === '/servers/' && !authorized

/** Runs something and returns its effects, without health checks. */
async function traces(estate: Estate, act: () => Promise<unknown>): Promise<Traces> {
  const upstreams = Object.values(estate.teams).map(({ upstream }) => upstream)
  const counts = upstreams.map(({ calls }) => calls.length)
  const before = await readRows(estate)
  await act()
  const after = await readRows(estate)
  return {
    rows: [
      ...[...after.keys()].filter((row) => !before.has(row)),
      ...[...before.keys()].filter((row) => !after.has(row)).map((row) => `gone: ${row}`),
    ],
    calls: upstreams.flatMap(({ calls }, index) => {
      const since = calls.slice(counts[index]).filter((call) => !isHealthCheck(call) && call.path !== '/hook')
      return since.map(({ method, path }) => `${method} ${path}`)
    }),
  }
}

const isRefusal = (row: string) => row.startsWith('["AuditRow"') && row.includes('"event","denied"')

/** The portal signs the end of its audit log on a timer, and counts how many values a key has encrypted. */
const isOwnWork = (row: string) => /^(gone: )?\["(KeyRing"|SealedSecret","auditHead)/.test(row)

/** What channels do with events by a timer: their queue, their messages, and what the log says of these. Whoever sends one again leaves an own entry. */
function isSending(row: string): boolean {
  if (/^\["Notification",.*"server_(un)?reachable"/.test(row)) return true
  if (/^\["AuditRow",.*"gatehouse",null,null,"channel\./.test(row)) return true
  return /^(gone: )?\["(DeliveryItem"|Delivery","[\w-]+","[\w-]+","(events|digest)")/.test(row)
}

/** Once a minute Gatehouse ends the sessions of those whose membership is over. Returns whose in these rows. */
const endedMembers = (rows: readonly string[]) =>
  rows.flatMap((row) => /^\["AuditRow",.*"gatehouse",null,null,"member\.end","user","([\w-]+)"/.exec(row)?.[1] ?? [])

/** What goes with that: their sessions, links, connections and backup targets, and who is notified. */
function isEnd(row: string, ended: readonly string[]): boolean {
  if (ended.length === 0) return false
  if (/^\["(AuditRow",.*"gatehouse",null,null,"member\.end"|Notification",.*"(key|backup_target)_frozen")/.test(row)) return true
  return /^(gone: )?\["(Session|OneTimeLink|Connection|BackupTarget)"/.test(row) && ended.some((userId) => row.includes(`"${userId}"`))
}

function findEffects(rows: readonly string[]): string[] {
  const ended = endedMembers(rows)
  return rows.filter((row) => !isRefusal(row) && !isOwnWork(row) && !isEnd(row, ended) && !isSending(row))
}

/**
 * Expects no new rows except refusals in the audit log, what the portal writes automatically and rows that `mayLeave` accepts,
 * and no calls.
 */
export async function expectNoEffect(estate: Estate, act: () => Promise<unknown>, mayLeave?: RegExp): Promise<void> {
  const left = await traces(estate, act)
  expect({ ...left, rows: findEffects(left.rows).filter((row) => !mayLeave?.test(row)) }).toEqual({ rows: [], calls: [] })
}

/** The same, if reading the own team's data is allowed. */
export async function expectOnlyReads(estate: Estate, act: () => Promise<unknown>): Promise<void> {
  const left = await traces(estate, act)
  const changing = left.calls.filter(
    (call) =>
      !/^GET \/(sites$|sites\/[^/]+\/(summary|settings|database|aliases|apps|backups|email|traffic)$|servers\/($|[^/]+\/(summary|vitals|services|cronjobs|systemusers|firewall|messages|backups)$))/.test(
        call,
      ),
  )
  expect({ rows: findEffects(left.rows), calls: changing }).toEqual({ rows: [], calls: [] })
}
