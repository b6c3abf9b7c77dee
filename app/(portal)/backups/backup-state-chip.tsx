'use client'

import type { BackupLine } from '@/lib/portal/views/backups/line'
import { useDrawnNow } from '../../_ui/clock'
import { StateChip } from '../../_ui/state-chip'
import { backupStateOf, backupStates, describeBackupState } from './backup-state'

/** A backup gets late while the page is open. */
export function BackupStateChip({ line }: { line: BackupLine }) {
  const now = useDrawnNow(60_000)
  const { tone, label } = backupStates[backupStateOf(line, now)]
  return <StateChip tone={tone} label={label} title={describeBackupState(line, now)} />
}
