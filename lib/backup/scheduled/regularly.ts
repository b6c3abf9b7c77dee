/** Makes the scheduled backups of one half while its process runs. */
import type { Settings } from '@/lib/settings/settings'
import type { Half } from './archive-name'
import { type FailureReason, ScheduledBackupError } from './failure'
import { clearStaging, type Made, makeBackup, readKilledStart } from './make'
import { isDue } from './schedule'

/** The newest attempt and the newest archive. reason: why the newest attempt failed, a FailureReason; empty if it did not. bytes: of the newest archive. failures: of all attempts. */
export type BackupState = { attemptedAt: Date; reason: string; doneAt: Date | null; bytes: number; failures: number }

/** made: null if the attempt failed. */
export type Attempted = { state: BackupState; made: Made | null }

/** Where a half keeps the state: its database. */
export type BackupMemory = {
  read(): Promise<BackupState | null>
  /** After each attempt, whatever its outcome. */
  write(attempted: Attempted): Promise<void>
}

type Log = { info(details: object, message: string): void; error(details: object, message: string): void }

/** alone: runs the work in one of the processes that share the database, in the others not at all; by default there is one. */
export type BackupsOptions = {
  settings: Settings
  half: Half
  memory: BackupMemory
  log: Log
  alone?: (work: () => Promise<void>) => Promise<void>
}

const minuteMs = 60_000

/** Looks once a minute whether a backup is due. A failure is stored and logged, and tried again an hour later. */
export function backUpRegularly(options: BackupsOptions): void {
  const { half, log, alone = (work) => work() } = options
  const settled = settleKilled(options).catch((error: unknown) =>
    log.error({ err: error, half }, 'an interrupted backup could not be recorded'),
  )
  const check = createBackupCheck(options)
  setInterval(() => void settled.then(() => alone(() => check(new Date()))), minuteMs).unref()
}

/** An attempt that was killed with its process counts as failed, and what it left is removed. Rejects if that cannot be stored. */
export async function settleKilled({ settings, half, memory, log }: BackupsOptions): Promise<void> {
  try {
    const startedAt = await readKilledStart(settings, half)
    if (startedAt === null) return
    const last = await memory.read()
    // It may have been killed after its outcome was stored.
    if (last !== null && last.attemptedAt >= startedAt) return
    log.error({ half, reason: 'interrupted' }, 'the backup failed')
    await memory.write({ state: failedState(startedAt, 'interrupted', last), made: null })
  } finally {
    await clearStaging(settings, half)
  }
}

/** One look. Does nothing while the one before still works, and never rejects. */
export function createBackupCheck({ settings, half, memory, log }: BackupsOptions): (now: Date) => Promise<void> {
  let isBusy = false
  // If the database takes no writes, an archive would be made every minute.
  let last: BackupState | null = null
  return async (now) => {
    const { backup } = settings
    if (backup === null || isBusy) return
    isBusy = true
    try {
      // Another portal may have made the newest one.
      const stored = await memory.read()
      if (last === null || (stored !== null && stored.attemptedAt > last.attemptedAt)) last = stored
      if (!isDue(backup.schedule, last && { attemptedAt: last.attemptedAt, failed: last.reason !== '' }, now)) return
      const attempted = await attemptBackup({ settings, backup, half, now }, last, log)
      last = attempted.state
      await memory.write(attempted)
    } catch (error) {
      log.error({ err: error, half }, 'the outcome of a backup could not be stored')
    } finally {
      isBusy = false
    }
  }
}

async function attemptBackup(options: Parameters<typeof makeBackup>[0], last: BackupState | null, log: Log): Promise<Attempted> {
  const { half, now } = options
  try {
    const made = await makeBackup(options)
    log.info({ half, ...made }, 'backup made')
    return { state: { attemptedAt: now, reason: '', doneAt: now, bytes: made.bytes, failures: last?.failures ?? 0 }, made }
  } catch (error) {
    const reason = error instanceof ScheduledBackupError ? error.reason : 'copy'
    log.error({ half, reason, why: error instanceof Error ? error.message : String(error) }, 'the backup failed')
    return { state: failedState(now, reason, last), made: null }
  }
}

const failedState = (attemptedAt: Date, reason: FailureReason, last: BackupState | null): BackupState => ({
  attemptedAt,
  reason,
  doneAt: last?.doneAt ?? null,
  bytes: last?.bytes ?? 0,
  failures: (last?.failures ?? 0) + 1,
})
