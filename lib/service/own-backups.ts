/** The service's own scheduled backups: where their outcome is kept, and what health checks and metrics say of them. */
import { type BackupMemory, backUpRegularly } from '@/lib/backup/scheduled/regularly'
import { lateAfterMs } from '@/lib/backup/scheduled/schedule'
import { log } from '@/lib/log'
import type { Settings } from '@/lib/settings/settings'
import type { Database } from './store/store'

const half = 'service'

const readRow = (db: Database) => db.ownBackup.findUnique({ where: { half } })

const memoryIn = (db: Database): BackupMemory => ({
  read: () => readRow(db),
  write: async ({ state }) => {
    await db.ownBackup.upsert({ where: { half }, create: { half, ...state }, update: state })
  },
})

export function backUpService(db: Database, settings: Settings): void {
  backUpRegularly({ settings, half, memory: memoryIn(db), log })
}

/** For the portal, without an API key: neither paths nor names. Times ISO 8601, lengths in bytes. lateAfterMs: null if no backups are scheduled. */
export async function describeBackups(db: Database, { backup }: Pick<Settings, 'backup'>) {
  const row = await readRow(db)
  return {
    lateAfterMs: backup && lateAfterMs(backup.schedule),
    attemptedAt: row?.attemptedAt.toISOString() ?? null,
    reason: row?.reason ?? '',
    doneAt: row?.doneAt?.toISOString() ?? null,
    bytes: row?.bytes ?? 0,
    failures: row?.failures ?? 0,
  }
}

export type BackupReport = Awaited<ReturnType<typeof describeBackups>>
