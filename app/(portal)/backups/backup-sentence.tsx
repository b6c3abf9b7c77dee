'use client'

import type { MouseEvent } from 'react'
import type { FacetCounts } from '@/app/_shared/collection/query'
import { SentenceOfLinks } from '../../_ui/sentence-of-links'
import { type BackupQuery, backupQuery } from './backup-line-columns'
import { describeBackups } from './describe-backups'

type BackupSentenceProps = { counts: FacetCounts; all: number; query: BackupQuery; onOpen: (query: BackupQuery) => void }

/** The state of all backups in one line. A click on a part filters the list by it; a second click shows all sites again. */
export function BackupSentence({ counts, all, query, onOpen }: BackupSentenceProps) {
  const shown = backupQuery.print(query)
  const parts = describeBackups(counts, all).map(({ text, query: own, isGood }) => {
    const isShown = backupQuery.print(own) === shown
    const next = isShown ? backupQuery.whole : own
    const onClick = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      onOpen(next)
    }
    return { key: text, text, href: `/backups${backupQuery.print(next)}`, isGood, isShown, onClick }
  })
  return <SentenceOfLinks label="State of the backups" parts={parts} />
}
