'use client'

import type { Problem } from '@/lib/contract/problem'
import type { ConnectionRow } from '@/lib/portal/subjects/listing/list'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'
import type { PortalLink } from '../frame/portal-link'
import { formatCut, formatUnreadable, ReadError, RetryCountdown, ViewConnections } from '../reads/read-error'

type ConnectionNoticesProps = {
  /** What is listed. */
  noun: 'server' | 'site'
  link: PortalLink
  connections: readonly ConnectionRow[]
  /** Why the portal itself returned nothing. */
  problem: Problem | null
  readAt: number | null
}

/** Names the lists that are longer than shown, the services that do not answer, and how old the shown data is. */
export function ConnectionNotices({ noun, link, connections, problem, readAt }: ConnectionNoticesProps) {
  // The bar at the top of the page reports it.
  if (link !== 'up') return null
  if (problem) return <ReadError read={{ problem, readAt }} />
  if (connections.length === 0) {
    return (
      <Notice tone="warn" title="No service is connected." action={<ViewConnections />}>
        {noun === 'server' ? 'Servers' : 'Sites'} come from a service. Add a connection with its address and API key.
      </Notice>
    )
  }
  const cuts = connections.flatMap(({ id, label, cut }) => (cut ? [{ id, label, cut }] : []))
  const failing = connections.filter((connection) => connection.problem !== null)
  return (
    <>
      {cuts.map(({ id, label, cut }) => (
        <Notice key={id} tone="warn" title={`${label}: ${formatCut(cut, noun)}.`} />
      ))}
      {connections.map(({ id, label, unreadable }) =>
        unreadable > 0 ? <Notice key={id} tone="warn" title={`${label}: ${formatUnreadable(unreadable)}`} /> : null,
      )}
      {failing.map((connection) => (
        <Notice
          key={connection.id}
          tone="warn"
          title={`${connection.label}: ${connection.problem?.sentence}`}
          action={isFrozen(connection) ? <ViewConnections /> : null}
        >
          {connection.listedAt ? (
            <>
              Last seen <RelativeTime at={connection.listedAt} />.{' '}
            </>
          ) : null}
          {isFrozen(connection) ? null : <RetryCountdown at={retryAtOf(connection, readAt)} />}
        </Notice>
      ))}
    </>
  )
}

/** Nothing is called until somebody thaws it. */
const isFrozen = ({ problem }: ConnectionRow): boolean => problem?.code === 'key_frozen'

function retryAtOf({ problem }: ConnectionRow, readAt: number | null): number | null {
  return readAt === null || problem?.retryAfterSeconds === undefined ? null : readAt + problem.retryAfterSeconds * 1000
}
