/** What Home says about Gatehouse's own scheduled backups, for owners. */
import 'server-only'
import type { Half } from '@/lib/backup/scheduled/archive-name'
import { describeFailure } from '@/lib/backup/scheduled/failure'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { getSettings } from '@/lib/settings/settings'
import type { OwnBackup } from '@/prisma/generated/portal/client'
import { type AttentionItem, single } from './attention-item'

/** madeAt: of the newest archive, ISO; null before the first. */
export type OwnBackupAge = { half: Half; madeAt: string | null }

/** Of each half whose backups are scheduled; null for others than owners. */
export async function listBackupAges(actor: Actor): Promise<OwnBackupAge[] | null> {
  if (actor.role !== 'owner') return null
  const { backup, upstreamUrl } = getSettings()
  const rows = await db().ownBackup.findMany()
  const ageOf = (half: Half) => ({ half, madeAt: rows.find((row) => row.half === half)?.doneAt?.toISOString() ?? null })
  const isService = upstreamUrl === null && rows.some(({ half, lateAfterMs }) => half === 'service' && lateAfterMs !== null)
  return [...(backup === null ? [] : [ageOf('portal')]), ...(isService ? [ageOf('service')] : [])]
}

/** Nothing while the newest backup of each half succeeded in time, where backups are not scheduled, and for others than owners. */
export async function listBackupItems(actor: Actor, now: number): Promise<AttentionItem[]> {
  if (actor.role !== 'owner') return []
  const { backup, upstreamUrl } = getSettings()
  const rows = await db().ownBackup.findMany()
  return rows.flatMap((row) => {
    const isOurs = row.half === 'portal' ? backup !== null : upstreamUrl === null
    return isOurs ? backupItem(row, backup !== null, now) : []
  })
}

function backupItem({ half, attemptedAt, doneAt, reason, lateAfterMs }: OwnBackup, isScheduled: boolean, now: number): AttentionItem[] {
  const base = {
    ...({ sinceLabel: 'Last worked', href: '/activity', action: 'View activity' } as const),
    key: `backup ${half}`,
    title: `Backup of the ${half}`,
    since: doneAt?.toISOString() ?? null,
  }
  if (lateAfterMs === null) {
    const says = 'The portal is backed up, but the service is not: BACKUP_RECIPIENT is not among the service’s settings.'
    return isScheduled ? [single({ ...base, tone: 'danger', word: 'No backup', says })] : []
  }
  if (attemptedAt === null) return []
  const newest = doneAt ?? attemptedAt
  const isLate = now - newest.getTime() > lateAfterMs
  if (reason !== '') {
    const none = doneAt === null ? ' There is no backup yet.' : ''
    const says = `${describeFailure(reason)} Gatehouse tries again every hour.${none}`
    return [single({ ...base, tone: isLate || doneAt === null ? 'danger' : 'warn', word: 'Backup failed', says })]
  }
  return isLate ? [single({ ...base, tone: 'danger', word: 'Backup late', says: 'No backup was made at the time of its schedule.' })] : []
}
