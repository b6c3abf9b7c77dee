'use client'

import type { Problem } from '@/lib/contract/problem'
import type { ConnectionRow, ServerRow } from '@/lib/portal/servers/row'
import { ButtonLink } from '../../_ui/button'
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
      <Notice tone="warn" title="There is no connection to a service." action={<ButtonLink href="/keys">See the keys</ButtonLink>}>
        Servers are listed by a service: add one there by its address and API key.
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
              Its servers are shown as they were <RelativeTime at={newest} />. It is asked again by itself.
            </>
          ) : (
            'It is asked again by itself.'
          )}
        </Notice>
      )
    })
}
