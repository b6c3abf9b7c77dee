/** Both halves of an installation with scheduled backups that age encrypts, in a temporary folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FailureReason } from '@/lib/backup/scheduled/failure'
import { ScheduledBackupError } from '@/lib/backup/scheduled/failure'
import { type Made, makeBackup } from '@/lib/backup/scheduled/make'
import { createKeyFile } from '@/lib/sealing/key-file'
import { parseSettings, type Settings } from '@/lib/settings/settings'
import { runSql } from '../support/sqlite-file'

export const now = new Date('2026-11-27T03:00:05Z')
export const canary = 'canary-in-the-database'

export type Scene = { dir: string; folder: string; identity: string; settings: Settings; make(at?: Date, maxMs?: number): Promise<Made> }

/** more: settings beside the recipient; the archives lie in a folder unless it names another place. */
export function makeScene(more: Record<string, string> = {}): Scene {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-scheduled-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const folder = join(dir, 'backups')
  mkdirSync(folder)
  const identity = join(dir, 'identity')
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' })
  const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim()
  const where = 'BACKUP_COMMAND' in more || 'BACKUP_BUCKET' in more ? {} : { BACKUP_FOLDER: folder }
  const settings = parseSettings({ BACKUP_RECIPIENT: recipient, ...where, ...more }, join(dir, 'gatehouse'))
  for (const file of [settings.portalDatabase, settings.serviceDatabase]) {
    mkdirSync(dirname(file), { recursive: true })
    for (const sql of ['PRAGMA journal_mode = WAL', 'CREATE TABLE t (n TEXT)', `INSERT INTO t VALUES ('${canary}')`]) runSql(file, sql)
  }
  for (const file of [settings.portalKekFile, settings.sessionSecretFile, settings.serviceKekFile]) createKeyFile(file).fill(0)
  writeFileSync(settings.portalAuditHeads, 'a head\n')
  const { backup } = settings
  if (backup === null) throw new Error('no backups')
  return {
    dir,
    folder,
    identity,
    settings,
    make: (at = now, maxMs = 60_000) => makeBackup({ settings, backup, half: 'portal', now: at, maxMs }),
  }
}

/** Why a backup failed; null if it was made. */
export const reasonOf = (work: Promise<unknown>): Promise<FailureReason | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ScheduledBackupError) return error.reason
      throw error
    },
  )
