/** Gatehouse's own scheduled backups: makes the portal's, learns of the service's, and writes the outcome of both into the audit log. */
import 'server-only'
import type { Half } from '@/lib/backup/scheduled/archive-name'
import { type BackupMemory, backUpRegularly } from '@/lib/backup/scheduled/regularly'
import { lateAfterMs } from '@/lib/backup/scheduled/schedule'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'
import { askServiceBackups } from '@/lib/portal/upstream/service-backups'
import { getSettings } from '@/lib/settings/settings'

const minuteMs = 60_000

export const portalMemory: BackupMemory = {
  read: async () => {
    const row = await db().ownBackup.findUnique({ where: { half: 'portal' } })
    return row?.attemptedAt ? { ...row, attemptedAt: row.attemptedAt } : null
  },
  write: async ({ state, made }) => {
    const { backup } = getSettings()
    const row = { ...state, lateAfterMs: backup && lateAfterMs(backup.schedule) }
    await db().ownBackup.upsert({ where: { half: 'portal' }, create: { half: 'portal', ...row }, update: row })
    await recordBackup('portal', state.reason, made?.name)
  },
}

export const backUpPortal = (): void =>
  backUpRegularly({ settings: getSettings(), half: 'portal', memory: portalMemory, log, alone: asLeader })

/** Once a minute, unless another service is used in place of the bundled one. */
export function watchServiceBackups(): void {
  if (getSettings().upstreamUrl !== null) return
  setInterval(() => {
    asLeader(learnServiceBackups).catch((err: unknown) => log.error({ err }, 'what the service reports of its backups could not be stored'))
  }, minuteMs).unref()
}

/** Stores what the service reports, if that has changed. What was known stays while it does not answer. */
export async function learnServiceBackups(): Promise<void> {
  const report = await askServiceBackups()
  if (report === null) return
  const known = await db().ownBackup.findUnique({ where: { half: 'service' } })
  const [attemptedAt, doneAt] = [report.attemptedAt, report.doneAt].map((at) => (at === null ? null : new Date(at)))
  const isNew = attemptedAt?.getTime() !== known?.attemptedAt?.getTime()
  if (known !== null && !isNew && known.lateAfterMs === report.lateAfterMs) return
  const row = { ...report, attemptedAt: attemptedAt ?? null, doneAt: doneAt ?? null }
  await db().ownBackup.upsert({ where: { half: 'service' }, create: { half: 'service', ...row }, update: row })
  if (attemptedAt && isNew) await recordBackup('service', report.reason)
}

async function recordBackup(half: Half, reason: string, name?: string): Promise<void> {
  const outcome = reason === '' ? 'done' : 'failed'
  const detail = { about: half, ...(reason !== '' && { reason }), ...(name !== undefined && { name }) }
  const object = { kind: 'portal' as const, id: null }
  await recordAudit({ teamId: null, actor: { kind: 'gatehouse' }, action: 'portal.backup', object, stage: 'event', outcome, detail })
}
