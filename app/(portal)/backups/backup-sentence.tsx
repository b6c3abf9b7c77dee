'use client'

import { TriangleAlert } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { FacetCounts } from '@/app/_shared/collection/query'
import { Link } from '../../_ui/page-link'
import { type BackupQuery, backupQuery } from './backup-line-columns'
import { describeBackups } from './describe-backups'

type BackupSentenceProps = { counts: FacetCounts; all: number; query: BackupQuery; onOpen: (query: BackupQuery) => void }

/** The state of all backups in one line. A click on a part filters the list by it; a second click shows all sites again. */
export function BackupSentence({ counts, all, query, onOpen }: BackupSentenceProps) {
  const shown = backupQuery.print(query)
  const parts = describeBackups(counts, all)
  return (
    <ul aria-label="State of the backups" className="flex flex-wrap items-center gap-y-1 max-tablet:gap-x-4">
      {parts.map(({ text, query: own, isGood }, index) => {
        const isShown = backupQuery.print(own) === shown
        const next = isShown ? backupQuery.whole : own
        const onClick = (event: MouseEvent) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onOpen(next)
        }
        return (
          <li key={text} className="flex items-center">
            <Link
              href={`/backups${backupQuery.print(next)}`}
              onClick={onClick}
              aria-current={isShown || undefined}
              className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line-strong decoration-1 underline-offset-4 hover:text-accent hover:decoration-current aria-current:text-accent aria-current:decoration-current touch:min-h-10"
            >
              {isGood ? null : <TriangleAlert aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-warn" />}
              <span className={isGood ? undefined : 'font-semibold'}>{text}</span>
            </Link>
            {index === parts.length - 1 ? null : (
              <span aria-hidden className="px-2 text-muted max-tablet:hidden">
                ·
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
