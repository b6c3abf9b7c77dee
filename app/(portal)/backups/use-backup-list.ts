'use client'

import type { BackupList } from '@/lib/portal/views/backups/list'
import { portalRead } from '../../_shared/reads/read-address'
import { createVersionedList } from '../../_shared/reads/versioned-list'

export const { useList: useBackupList } = createVersionedList<BackupList>({
  addressSince: (since) => portalRead('/api/backups', since === undefined ? {} : { since }),
  empty: { backups: [], connections: [] },
  without: (list, siteId) => ({ ...list, backups: list.backups.filter(({ id }) => id !== siteId) }),
})
