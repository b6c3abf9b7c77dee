'use client'

import type { HomeView } from '@/lib/portal/views/home/home'
import { RelativeTime } from '../../_ui/relative-time'

/** The age of Gatehouse's own backups, for owners. What is wrong with them is among the problems. */
export function OwnBackups({ backups }: { backups: HomeView['ownBackups'] }) {
  if (backups === null) return null
  if (backups.length === 0) {
    return (
      <p className="text-small text-muted">
        No backups of Gatehouse are scheduled. The setting BACKUP_RECIPIENT turns them on (docs/running.md).
      </p>
    )
  }
  return (
    <p className="text-small text-muted">
      Newest backup of Gatehouse:{' '}
      {backups.map(({ half, madeAt }, place) => (
        <span key={half}>
          {place === 0 ? '' : ', '}
          {half} {madeAt === null ? 'none yet' : <RelativeTime at={madeAt} />}
        </span>
      ))}
      .
    </p>
  )
}
