'use client'

import type { Problem } from '@/lib/contract/problem'
import type { ConnectionRow } from '@/lib/portal/servers/row'
import { AskedAgain } from '../../_shared/asked-again'
import { ReadTrouble } from '../../_shared/read-trouble'
import { ButtonLink } from '../../_ui/button'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'

type ConnectionNoticesProps = {
  connections: readonly ConnectionRow[]
  /** Why the portal itself gave nothing. */
  problem: Problem | null
  readAt: number | null
}

/** What cannot be asked at the moment, and how old what is shown therefore is. */
export function ConnectionNotices({ connections, problem, readAt }: ConnectionNoticesProps) {
  if (problem) return <ReadTrouble read={{ problem, readAt }} />
  if (connections.length === 0) {
    return (
      <Notice tone="warn" title="There is no connection to a service." action={<ButtonLink href="/keys">See the keys</ButtonLink>}>
        Servers are listed by a service: add one there by its address and API key.
      </Notice>
    )
  }
  return connections
    .filter((connection) => connection.problem !== null)
    .map((connection) => (
      <Notice key={connection.id} tone="warn" title={`${connection.label}: ${connection.problem?.sentence}`}>
        {connection.listedAt ? (
          <>
            Its servers are shown as they were <RelativeTime at={connection.listedAt} />.{' '}
          </>
        ) : null}
        <AskedAgain at={againAtOf(connection, readAt)} />
      </Notice>
    ))
}

function againAtOf({ problem }: ConnectionRow, readAt: number | null): number | null {
  return readAt === null || problem?.retryAfterSeconds === undefined ? null : readAt + problem.retryAfterSeconds * 1000
}
