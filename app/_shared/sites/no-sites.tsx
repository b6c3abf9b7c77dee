import type { ReactNode } from 'react'
import { Card } from '@/app/_ui/section'
import { ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'

type NoSitesProps = {
  mayAdd: boolean
  /** Who can add some or give access, for those who may not add any. */
  denied: ReactNode
  serverId: string | undefined
  /** A service did not answer, so there may be sites. */
  unread: boolean
}

export const addressOfNewSite = (serverId: string | undefined): string =>
  serverId === undefined ? '/sites/new' : `/sites/new?server=${serverId}`

/** Shown in place of the list. The page of all sites has the button in its header. */
export function NoSites({ mayAdd, denied, serverId, unread }: NoSitesProps) {
  const add = (
    <ButtonLink href={addressOfNewSite(serverId)} variant="primary">
      Add site
    </ButtonLink>
  )
  return (
    <Card>
      <EmptyState
        title={unread ? 'No sites known' : serverId === undefined ? 'No sites yet' : 'No sites on this server'}
        actions={mayAdd && serverId !== undefined ? add : null}
      >
        <p>A site is a domain with its own user, files and database on one of your servers.</p>
        {mayAdd ? (
          <p>
            You need a domain, for example <code className="font-mono text-code text-ink">example.org</code>, and an installed server.
          </p>
        ) : (
          denied
        )}
      </EmptyState>
    </Card>
  )
}
