/** Stored install runs and their events. */
import { randomUUID } from 'node:crypto'
import type { InstallEvent, InstallRun, MachineState, RunState } from '@/prisma/generated/service/client'
import type { MachineRow } from './machines'
import { type EventLine, insertEventLines } from './sql/install-events'
import type { Store } from './store'

export type { InstallEvent, InstallRun }

/** An event that has no number yet. hostLine: the line on the server that it comes from; absent for events of the service itself. */
export type NewEvent = {
  step: string
  progress: number
  status: RunState
  message: string
  error?: string
  hostLine?: number
}

/** The newest run of a server; null if there was none. */
export async function findNewestRun(store: Store, machineId: string): Promise<InstallRun | null> {
  return store.db.installRun.findFirst({ where: { machineId }, orderBy: { number: 'desc' } })
}

/** Runs that were active when the service stopped, with their servers. */
export async function listRunningRuns(store: Store): Promise<(InstallRun & { machine: MachineRow })[]> {
  return store.db.installRun.findMany({ where: { state: 'running' }, include: { machine: true } })
}

/** Creates a run; the server's lines up to and including `hostLines` belong to earlier runs. */
export async function createRun(store: Store, machineId: string, hostLines: number): Promise<InstallRun> {
  const newest = await findNewestRun(store, machineId)
  const [run] = await store.db.$transaction([
    store.db.installRun.create({
      data: { id: randomUUID(), machineId, number: (newest?.number ?? 0) + 1, state: 'running', hostLines },
    }),
    store.db.machine.update({ where: { id: machineId }, data: { state: 'installing' } }),
  ])
  return run
}

/** The number of the server's next event; numbers continue across its runs. */
export async function nextEventId(store: Store, machineId: string): Promise<number> {
  const newest = await store.db.installEvent.findFirst({ where: { machineId }, orderBy: { id: 'desc' }, select: { id: true } })
  return (newest?.id ?? 0) + 1
}

/**
 * Writes events, numbered from `firstId`, together with the last line read from the server, and ends the run if the last event says
 * so.
 */
export async function appendEvents(store: Store, run: InstallRun, firstId: number, events: readonly NewEvent[]): Promise<void> {
  const last = events.at(-1)
  if (!last) return
  const lines = events.map(
    ({ step, progress, status, message, error }, index): EventLine => [firstId + index, step, progress, status, message, error ?? null],
  )
  const ended = last.status !== 'running'
  const hostLine = events.findLast((event) => event.hostLine !== undefined)?.hostLine
  await store.db.$transaction([
    insertEventLines(store.db, run, lines),
    store.db.installRun.update({
      where: { id: run.id },
      data: { state: last.status, ...(ended ? { endedAt: new Date() } : {}), ...(hostLine === undefined ? {} : { hostLines: hostLine }) },
    }),
    ...(ended ? [store.db.machine.update({ where: { id: run.machineId }, data: { state: stateAfter(last.status) } })] : []),
  ])
}

export async function countEvents(store: Store, runId: string): Promise<number> {
  return store.db.installEvent.count({ where: { runId } })
}

const stateAfter = (status: RunState): MachineState => (status === 'done' ? 'ready' : 'failed')

/** Events of a run after a number, oldest first. */
export async function listEvents(store: Store, runId: string, afterId: number, limit: number): Promise<InstallEvent[]> {
  return store.db.installEvent.findMany({ where: { runId, id: { gt: afterId } }, orderBy: { id: 'asc' }, take: limit })
}

export async function findRunState(store: Store, runId: string): Promise<RunState> {
  const run = await store.db.installRun.findUnique({ where: { id: runId }, select: { state: true } })
  return run?.state ?? 'failed'
}

/** The run's last event; null if there is none yet. */
export async function findLastEvent(store: Store, runId: string): Promise<InstallEvent | null> {
  return store.db.installEvent.findFirst({ where: { runId }, orderBy: { id: 'desc' } })
}
