/** Makes the scheduled backups of one half while its process runs. */
import type { Settings } from '@/lib/settings/settings'
import type { Half } from './archive-name'
import { ScheduledBackupError } from './failure'
import { clearStaging, type Made, makeBackup } from './make'
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

export type BackupsOptions = { settings: Settings; half: Half; memory: BackupMemory; log: Log }

const minuteMs = 60_000

/** Looks once a minute whether a backup is due. A failure is stored and logged, and tried again an hour later. */
export function backUpRegularly(options: BackupsOptions): void {
  const { settings, half, log } = options
  void clearStaging(settings, half).catch((error: unknown) =>
    log.error({ err: error }, 'the copies of an interrupted backup could not be deleted'),
  )
  const check = createBackupCheck(options)
  setInterval(() => void check(new Date()), minuteMs).unref()
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
      last ??= await memory.read()
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
  const failures = last?.failures ?? 0
  try {
    const made = await makeBackup(options)
    log.info({ half, ...made }, 'backup made')
    return { state: { attemptedAt: now, reason: '', doneAt: now, bytes: made.bytes, failures }, made }
  } catch (error) {
    const reason = error instanceof ScheduledBackupError ? error.reason : 'copy'
    log.error({ half, reason, why: error instanceof Error ? error.message : String(error) }, 'the backup failed')
    const state = { attemptedAt: now, reason, doneAt: last?.doneAt ?? null, bytes: last?.bytes ?? 0, failures: failures + 1 }
    return { state, made: null }
  }
}
