'use client'

import { TriangleAlert } from 'lucide-react'
import type { HomeView } from '@/lib/portal/views/home/home'
import { countOf } from '../../_ui/count'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'

type FleetSentenceProps = { home: HomeView; isStale: boolean; readAt: number | null }

/** The state of the fleet in one sentence. Each part leads to what it is about. Stale: without states, which are not known then. */
export function FleetSentence({ home: { fleet, servers }, isStale, readAt }: FleetSentenceProps) {
  if (isStale) {
    return (
      <p className="text-small text-muted">
        {countOf(servers.all, 'server')}
        {readAt === null ? null : (
          <>
            , read <RelativeTime at={new Date(readAt).toISOString()} />
          </>
        )}
      </p>
    )
  }
  return (
    <ul aria-label="State of the fleet" className="flex flex-wrap items-center gap-y-1">
      {fleet.map(({ key, text, href, isGood }, place) => (
        <li key={key} className="flex items-center">
          <Link
            href={href}
            className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line-strong decoration-1 underline-offset-4 hover:text-accent hover:decoration-current touch:min-h-10"
          >
            {isGood ? null : <TriangleAlert aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-warn" />}
            <span className={isGood ? undefined : 'font-semibold'}>{text}</span>
          </Link>
          {place === fleet.length - 1 ? null : (
            <span aria-hidden className="px-2 text-muted">
              ·
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
