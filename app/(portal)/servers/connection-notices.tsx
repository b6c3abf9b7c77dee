'use client'

import type { Problem } from '@/lib/contract/problem'
import type { ConnectionRow, ServerRow } from '@/lib/portal/servers/row'
import { AskedAgain } from '../../_shared/asked-again'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'

type ConnectionNoticesProps = {
  connections: readonly ConnectionRow[]
  servers: readonly ServerRow[]
  /** Why the portal itself gave nothing. */
  problem: Problem | null
  readAt: number | null
}

/** What cannot be asked at the moment, and how old what is shown therefore is. */
export function ConnectionNotices({ connections, servers, problem, readAt }: ConnectionNoticesProps) {
  if (problem) {
    return (
      <Notice tone="warn" title={problem.sentence}>
        {readAt === null ? (
          'It is asked again by itself.'
        ) : (
          <>
            What you see was read <RelativeTime at={new Date(readAt).toISOString()} />. It is asked again by itself.
          </>
        )}
      </Notice>
    )
  }
  if (connections.length === 0) {
    return (
      <Notice tone="warn" title="There is no connection to a service yet.">
        Restart the portal: it connects the service that comes with it.
      </Notice>
    )
  }
  return connections
    .filter((connection) => connection.problem !== null)
    .map((connection) => {
      const newest = servers
        .filter((server) => server.connectionLabel === connection.label)
        .reduce((latest, server) => (server.listedAt > latest ? server.listedAt : latest), '')
      return (
        <Notice key={connection.id} tone="warn" title={`${connection.label}: ${connection.problem?.sentence}`}>
          {newest ? (
            <>
              Its servers are shown as they were <RelativeTime at={newest} />.{' '}
            </>
          ) : null}
          <AskedAgain at={againAtOf(connection, readAt)} />
        </Notice>
      )
    })
}

function againAtOf({ problem }: ConnectionRow, readAt: number | null): number | null {
  return readAt === null || problem?.retryAfterSeconds === undefined ? null : readAt + problem.retryAfterSeconds * 1000
}
