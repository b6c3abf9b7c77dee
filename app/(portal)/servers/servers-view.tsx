'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type Problem, problem as problemOf } from '@/lib/contract/problem'
import { resolveReachability } from '@/lib/contract/reachability'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/list'
import { Collection } from '../../_shared/collection/collection'
import { ConnectionNotices } from '../../_shared/collection/connection-notices'
import { tableColumnsOf } from '../../_shared/collection/list-column'
import { useCollection, type Whole } from '../../_shared/collection/use-collection'
import { linkProblem, usePortalLink } from '../../_shared/frame/portal-link'
import { useRecount } from '../../_shared/reads/use-counts'
import { useServerList } from '../../_shared/servers/use-server-list'
import { ButtonLink } from '../../_ui/button'
import { lazyComponent } from '../../_ui/lazy'
import { PageBody, PageHead } from '../../_ui/page-head'
import { csvColumns } from './list-csv'
import { serverCollection } from './list-rows'
import { NoServers } from './no-servers'
import { serverColumns } from './server-columns'

const BulkActions = lazyComponent(() => import('./bulk-actions').then((file) => file.BulkActions))

/** What the server rendered: the first rows that match the address, and figures about the whole list. */
type FirstServers = Whole & {
  rows: readonly ListedServer[]
  connections: readonly ConnectionRow[]
}

/** offers: see useBatchOffers. guest, denied: see NoServers. */
type ServersViewProps = { first: FirstServers; mayChange: boolean; guest: boolean; offers: BatchOffer[] | null; denied: ReactNode }

/** Some states need more than a word: when the server was last seen. */
const longStateWidth = 220

const hrefOf = ({ id }: ListedServer): string => `/servers/${id}`

/** The list of servers: its first rows are there immediately, all of them a moment later, and filtering happens in memory. */
export function ServersView({ first, mayChange, guest, offers, denied }: ServersViewProps) {
  const { list, problem, readAt } = useServerList()
  const { link } = usePortalLink()
  const servers = useStanding(list?.servers ?? first.rows, linkProblem(link) ?? problem, readAt)
  const connections = list?.connections ?? first.connections
  const collection = useCollection(serverCollection, servers, list ? null : first)
  const { figures, counts, query, shown } = collection
  useRecount('servers', figures.all)
  const severalServices = connections.length > 1
  const longStates = useMemo(() => shown.some(({ reach }) => reach.kind === 'unknown'), [shown])
  const columns = useMemo(
    () =>
      tableColumnsOf(serverColumns, (id) => id !== 'service' || severalServices).map((column) =>
        column.id === 'state' && longStates ? { ...column, minWidth: longStateWidth } : column,
      ),
    [severalServices, longStates],
  )
  const sandbox = connections.find(({ simulates }) => simulates)
  return (
    <>
      <PageHead title="Servers" actions={mayChange ? <AddButton /> : null} />
      <PageBody>
        <ConnectionNotices noun="server" link={link} connections={connections} problem={problem} readAt={readAt} />
        <Collection
          collection={collection}
          columns={columns}
          lines="one"
          href={hrefOf}
          complete={list !== null}
          csv={csvColumns}
          facets={serverCollection.facets.filter(({ id }) => id !== 'service' || severalServices || query.service.length > 0)}
          bulk={(selected) => <BulkActions servers={selected} known={(counts.label ?? []).map(({ value }) => value)} offers={offers} />}
          empty={<NoServers mayAdd={mayChange} guest={guest} denied={denied} sandboxConnectionId={sandbox?.id ?? null} />}
        />
      </PageBody>
    </>
  )
}

/** While the list cannot be read, all states are unknown, last seen at `readAt`, or when the page was rendered. */
function useStanding(servers: readonly ListedServer[], problem: Problem | null, readAt: number | null): readonly ListedServer[] {
  const [openedAt] = useState(Date.now)
  const at = new Date(readAt ?? openedAt).toISOString()
  const code = problem?.code
  return useMemo(() => {
    if (code === undefined) return servers
    return servers.map((server) => ({ ...server, reach: resolveReachability(server.reach, noList, { checkedAt: at, seenAt: at }) }))
  }, [servers, code, at])
}

/** Whatever the reason, the request did not reach the servers. */
const noList = problemOf('upstream_unreachable')

const AddButton = () => (
  <ButtonLink href="/servers/new" variant="primary">
    <Plus aria-hidden size={16} strokeWidth={1.5} />
    Add server
  </ButtonLink>
)
