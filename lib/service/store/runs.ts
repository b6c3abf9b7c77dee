/** Stored runs of slow work, such as installs, and their events. */
import { randomUUID } from 'node:crypto'
import type { RunEvent, RunState } from '@/prisma/generated/service/client'
import type { MachineRow } from './machines'
import { type Run, type ServerOperation, toRun, toRunOrNull } from './run'
import { endRun } from './run-end'
import { type EventLine, insertEventLines } from './sql/run-events'
import type { Store } from './store'

export type { Run, RunEvent, ServerOperation }

/** Which job of a machine such work is, and what follows it; a start may be of a narrower one. */
export const serverJobs = {
  'servers.install': 'install',
  'servers.upgrade': 'upgrade',
  'servers.revertUpgrade': 'revertUpgrade',
  'servers.applyUpdates': 'updates',
} as const satisfies Record<ServerOperation, string>

/**
 * An event that has no number yet. hostLine: the line on the server that it comes from; absent for events of the service itself.
 * On the last event, result is the JSON answer of the run, and lost says that it is not known how the work ended, or how much of a deletion was done.
 * aliases: that the site has got.
 */
export type NewEvent = {
  step: string
  progress: number
  status: RunState
  message: string
  error?: string
  hostLine?: number
  result?: string
  lost?: true
  aliases?: readonly string[]
}

/** The newest run of such work on a server; null if there was none. */
export async function findNewestServerRun(store: Store, machineId: string, operation: ServerOperation): Promise<Run | null> {
  return toRunOrNull(await store.db.run.findFirst({ where: { machineId, operation }, orderBy: { number: 'desc' } }))
}

/** The run that is active on a server; null if there is none. */
export async function findRunningRun(store: Store, machineId: string): Promise<Run | null> {
  return toRunOrNull(await store.db.run.findFirst({ where: { machineId, state: 'running' } }))
}

/** Runs that were active when the service stopped, with their servers. */
export async function listRunningRuns(store: Store): Promise<RunOnMachine[]> {
  const rows = await store.db.run.findMany({ where: { state: 'running' }, include: { machine: true } })
  return rows.map(({ machine, ...row }) => ({ machine, run: toRun(row) }))
}

export type RunOnMachine = { run: Run; machine: MachineRow }

/** The number of a server's next run. */
export async function nextRunNumber(store: Store, machineId: string): Promise<number> {
  const newest = await store.db.run.findFirst({ where: { machineId }, orderBy: { number: 'desc' }, select: { number: true } })
  return (newest?.number ?? 0) + 1
}

/** atNight: begun by the service. hostLines: the server's lines up to and including this one belong to earlier runs. */
export type NewServerRun = { machineId: string; operation: ServerOperation; hostLines: number; atNight: boolean }

/** Creates the run of work on a server. */
export async function createServerRun(store: Store, { machineId, operation, hostLines, atNight }: NewServerRun): Promise<Run> {
  const number = await nextRunNumber(store, machineId)
  const [run] = await store.db.$transaction([
    store.db.run.create({ data: { id: randomUUID(), machineId, number, operation, state: 'running', hostLines, atNight } }),
    ...(operation === 'servers.install' ? [store.db.machine.update({ where: { id: machineId }, data: { state: 'installing' } })] : []),
  ])
  return toRun(run)
}

/** The run on a site, or of a site that is not there yet, with its server; null if there is none. */
export async function findRunningSiteRun(store: Store, accountId: string, siteId: string): Promise<RunOnMachine | null> {
  const where = { siteId, state: 'running' as const, machine: { accountId } }
  const found = await store.db.run.findFirst({ where, include: { machine: true } })
  if (!found) return null
  const { machine, ...row } = found
  return { machine, run: toRun(row) }
}

/** The run that new work cannot start beside: one on the whole server, or on the same site; null if there is none. siteId: null for a new site. */
export async function findRunInTheWay(store: Store, machineId: string, siteId: string | null): Promise<Run | null> {
  const same = [{ siteId: null }, ...(siteId === null ? [] : [{ siteId }])]
  return toRunOrNull(await store.db.run.findFirst({ where: { machineId, state: 'running', OR: same } }))
}

/**
 * Writes events, numbered after the server's newest, whichever of its runs that belongs to, together with the last line read from the server.
 * Ends the run if the last event says so: then what the run was about changes in the same transaction.
 */
export async function appendEvents(store: Store, run: Run, events: readonly NewEvent[]): Promise<void> {
  const last = events.at(-1)
  if (!last) return
  const lines = events.map(({ step, progress, status, message, error }): EventLine => [step, progress, status, message, error ?? null])
  const hostLine = events.findLast((event) => event.hostLine !== undefined)?.hostLine
  await store.db.$transaction([
    insertEventLines(store.db, run, lines),
    ...(hostLine === undefined ? [] : [store.db.run.update({ where: { id: run.id }, data: { hostLines: hostLine } })]),
    ...(last.status === 'running' ? [] : endRun(store.db, run, { ...last, status: last.status })),
  ])
}

export async function countEvents(store: Store, runId: string): Promise<number> {
  return store.db.runEvent.count({ where: { runId } })
}

/** Events of a run after a number, oldest first. */
export async function listEvents(store: Store, runId: string, afterId: number, limit: number): Promise<RunEvent[]> {
  return store.db.runEvent.findMany({ where: { runId, id: { gt: afterId } }, orderBy: { id: 'asc' }, take: limit })
}

/** Null if its server was deleted. */
export async function findRun(store: Store, runId: string): Promise<Run | null> {
  return toRunOrNull(await store.db.run.findUnique({ where: { id: runId } }))
}

/** The run's last event; null if there is none yet. */
export async function findLastEvent(store: Store, runId: string): Promise<RunEvent | null> {
  return store.db.runEvent.findFirst({ where: { runId }, orderBy: { id: 'desc' } })
}
