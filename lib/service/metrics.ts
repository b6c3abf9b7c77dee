/** The service's metrics in Prometheus's text format. Without labels: never an id, a name or an address. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { BackupReport } from './own-backups'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

export async function answerMetrics(runningJobs: number, backups: BackupReport, now = Date.now()): Promise<Response> {
  const registry = new Registry()
  const set = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value)
  const count = (name: string, help: string, value: number) => new Counter({ name, help, registers: [registry] }).inc(value)
  const { user, system } = process.cpuUsage()
  set('gatehouse_service_jobs_running', 'Running jobs.', runningJobs)
  if (backups.doneAt !== null) {
    set('gatehouse_backup_age_seconds', 'Time since the newest scheduled backup of the service.', (now - Date.parse(backups.doneAt)) / 1000)
    set('gatehouse_backup_bytes', 'Length of that backup.', backups.bytes)
  }
  count('gatehouse_backup_failures_total', 'Scheduled backups of the service that failed.', backups.failures)
  set('process_resident_memory_bytes', 'Memory of the service process.', process.memoryUsage.rss())
  count('process_cpu_seconds_total', 'Processor time of the service process.', (user + system) / 1e6)
  set('process_start_time_seconds', 'When the service process began, Unix time.', Math.round(now / 1000 - process.uptime()))
  return new Response(await registry.metrics(), { headers: { 'content-type': contentType } })
}
