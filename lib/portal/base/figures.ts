/** The portal's metrics, in memory, since its process started. Labels have fixed values: never an id, a name or an address. */
import 'server-only'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { processState } from './process-state'

/** refused: never sent, because of the actor or the request. */
export type OperationOutcome = 'done' | 'failed' | 'unknown' | 'refused'

/** Upper bounds of the histogram's buckets, in seconds. */
const upstreamBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** In output order. Leaves out prom-client's default process metrics, which would outnumber these. */
function createFigures() {
  const registry = new Registry()
  const named = (name: string, help: string) => ({ name, help, registers: [registry] })
  return {
    registry,
    requests: new Counter({
      ...named('gatehouse_requests_total', 'Requests answered, by method and class of status.'),
      labelNames: ['method', 'status'],
    }),
    operations: new Counter({
      ...named('gatehouse_operations_total', 'Operations that users ran, by outcome.'),
      labelNames: ['operation', 'outcome'],
    }),
    runningJobs: new Gauge(named('gatehouse_jobs_running', 'Running jobs.')),
    viewers: new Gauge(named('gatehouse_viewers', 'Browsers that follow a job.')),
    upstream: new Histogram({
      ...named('gatehouse_upstream_seconds', 'Time until a service answered, or its stream began.'),
      buckets: upstreamBounds,
    }),
    backupAge: new Gauge({
      ...named('gatehouse_backup_age_seconds', 'Time since the newest scheduled backup, by half.'),
      labelNames: ['half'],
    }),
    backupBytes: new Gauge({ ...named('gatehouse_backup_bytes', 'Length of that backup.'), labelNames: ['half'] }),
    backupFailures: new Counter({
      ...named('gatehouse_backup_failures_total', 'Scheduled backups that failed, by half.'),
      labelNames: ['half'],
    }),
    residentBytes: new Gauge({
      ...named('process_resident_memory_bytes', 'Memory of the portal process.'),
      collect() {
        this.set(process.memoryUsage.rss())
      },
    }),
    cpuSeconds: new Counter({
      ...named('process_cpu_seconds_total', 'Processor time of the portal process.'),
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1e6)
      },
    }),
    startedAtSeconds: new Gauge({
      ...named('process_start_time_seconds', 'When the portal process began, Unix time.'),
      collect() {
        this.set(Math.round(Date.now() / 1000 - process.uptime()))
      },
    }),
  }
}

const figures = processState('figures', createFigures)

/** Counts an answered request. Unusual methods share one label, because clients can send any method. */
export function countRequest(method: string, status: number): void {
  const known = ['GET', 'POST', 'HEAD'].includes(method) ? method : 'other'
  figures().requests.inc({ method: known, status: `${Math.floor(status / 100)}xx` })
}

export function countOperation(operation: string, outcome: OperationOutcome): void {
  figures().operations.inc({ operation, outcome })
}

/** Counts a browser that follows a job. Call the returned function when it stops. */
export function countViewer(): () => void {
  figures().viewers.inc()
  return () => figures().viewers.dec()
}

/** Records the time until an upstream call was answered or its stream began. */
export function observeUpstream(seconds: number): void {
  figures().upstream.observe(seconds)
}

/** doneAt: null before the first archive. */
export type BackupFigures = { half: string; doneAt: Date | null; bytes: number; failures: number }

function setBackups(backups: readonly BackupFigures[]): void {
  const { backupAge, backupBytes, backupFailures } = figures()
  for (const each of [backupAge, backupBytes, backupFailures]) each.reset()
  for (const { half, doneAt, bytes, failures } of backups) {
    backupFailures.inc({ half }, failures)
    if (doneAt === null) continue
    backupAge.set({ half }, (Date.now() - doneAt.getTime()) / 1000)
    backupBytes.set({ half }, bytes)
  }
}

/** All metrics in Prometheus's text format, with its content type. */
export async function renderFigures(
  runningJobs: number,
  backups: readonly BackupFigures[],
): Promise<{ text: string; contentType: string }> {
  const { registry, runningJobs: jobs } = figures()
  jobs.set(runningJobs)
  setBackups(backups)
  return { text: await registry.metrics(), contentType: registry.contentType }
}
