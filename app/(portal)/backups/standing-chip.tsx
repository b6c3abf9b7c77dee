'use client'

import type { BackupLine } from '@/lib/portal/views/backups/line'
import { useDrawnNow } from '../../_ui/clock'
import { StateChip } from '../../_ui/state-chip'
import { describeStanding, standingOf, standingWords } from './standing'

/** A backup gets late while the page is open. */
export function StandingChip({ line }: { line: BackupLine }) {
  const now = useDrawnNow(60_000)
  const { tone, label } = standingWords[standingOf(line, now)]
  return <StateChip tone={tone} label={label} title={describeStanding(line, now)} />
}
