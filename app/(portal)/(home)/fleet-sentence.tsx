'use client'

import type { HomeView } from '@/lib/portal/views/home/home'
import { countOf } from '../../_ui/count'
import { RelativeTime } from '../../_ui/relative-time'
import { SentenceOfLinks } from '../../_ui/sentence-of-links'

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
  return <SentenceOfLinks label="State of the fleet" parts={fleet} />
}
