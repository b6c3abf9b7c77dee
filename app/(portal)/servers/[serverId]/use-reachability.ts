'use client'

import { linkProblem, usePortalLink } from '@/app/_shared/frame/portal-link'
import type { PageCheck } from '@/app/_shared/servers/server-checks'
import { type Reachability, reachable, resolveReachability } from '@/lib/contract/reachability'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'

export type ReachabilityServer = Pick<ServerRow, 'id' | 'state' | 'runningJobId' | 'reach' | 'listedAt'>

/** Whether the server is reachable: from this page's newest check of it, else as rendered by the portal. */
export function useReachability({ reach, listedAt }: ReachabilityServer, check: PageCheck | null): Reachability {
  const { link } = usePortalLink()
  const wellAt = check?.wellAt ?? null
  const known = wellAt === null ? reach : reachable
  const seenAt = wellAt === null ? listedAt : new Date(wellAt).toISOString()
  return resolveReachability(known, linkProblem(link) ?? check?.problem ?? null, { checkedAt: seenAt, seenAt })
}
