'use client'

import { Plus } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Card } from '@/app/_ui/section'
import { type Problem, problem as problemOf } from '@/lib/contract/problem'
import { resolveReachability } from '@/lib/contract/reachability'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListViews } from '@/lib/portal/identity/list-views'
import type { ConnectionRow } from '@/lib/portal/subjects/servers/list'
import { Collection } from '../../_shared/collection/collection'
import { ConnectionNotices } from '../../_shared/collection/connection-notices'
import { choicesOf, filledColumnsOf, tableColumnsOf, usualColumnsOf, withFolded } from '../../_shared/collection/list-column'
import { ListViewsMenu } from '../../_shared/collection/list-views-menu'
import { chosenOf } from '../../_shared/collection/query'
import { useCollection, type Whole } from '../../_shared/collection/use-collection'
import { useListViews } from '../../_shared/collection/use-list-views'
import { linkProblem, usePortalLink } from '../../_shared/frame/portal-link'
import { useRecount } from '../../_shared/reads/use-counts'
import type { FigureSummary } from '../../_shared/servers/figures'
import { type ServerLine, type ServerVitals, withVitals } from '../../_shared/servers/server-line'
import { useServerList } from '../../_shared/servers/use-server-list'
import { ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { lazyComponent } from '../../_ui/lazy'
import { PageBody, PageHead } from '../../_ui/page-head'
import { CreateSandboxButton } from './create-sandbox-button'
import { parseListQuery } from './list-query'
import { serverCollection, serverCsv } from './list-rows'
import { ScreenFiguresReader } from './screen-figures'
import { NarrowServer, serverColumns } from './server-columns'
import { useFigures, withAllFigures } from './use-figures'

const BulkActions = lazyComponent(() => import('./bulk-actions').then((file) => file.BulkActions))

/** What the server rendered: the first rows that match the address, and figures about the whole list. */
type FirstServers = Whole & {
  rows: readonly ServerLine[]
  connections: readonly ConnectionRow[]
  /** The columns for which any server has something. */
  filled: readonly string[]
  /** The filled columns and the filter counts of figures. */
  figures: FigureSummary
}

/** offers: see useBatchOffers. guest, denied: see NoServers. */
type ServersViewProps = {
  first: FirstServers
  views: ListViews
  mayChange: boolean
  guest: boolean
  offers: BatchOffer[] | null
  denied: ReactNode
}

const noFigures: ReadonlyMap<string, Partial<ServerVitals>> = new Map()

const usualColumns = usualColumnsOf(serverColumns)

/** Filters offered only if a server has a value. The value `none` doesn't count: it says nothing if no server reports backups. */
const figureFacets = new Set(['disk', 'memory', 'updates', 'backup'])

/** Some states need more than a word: when the server was last seen. */
const longStateWidth = 220

const hrefOf = ({ id }: ServerLine): string => `/servers/${id}`

/** The list of servers: its first rows are there immediately, all of them a moment later, and filtering happens in memory. */
export function ServersView({ first, views: firstViews, mayChange, guest, offers, denied }: ServersViewProps) {
  const { list, problem, readAt } = useServerList()
  const { link } = usePortalLink()
  const params = useSearchParams()
  const { byId, summary, ready } = useFigures(
    useMemo(() => parseListQuery(params), [params]),
    list,
  )
  // A list that is opened sorted or filtered by figures shows the first rows until the figures of all servers are read.
  const [opened, setOpened] = useState(false)
  if (list && ready && !opened) setOpened(true)
  const complete = list !== null && opened
  const listed = useStanding(complete ? list.servers : first.rows, linkProblem(link) ?? problem, readAt)
  const servers = useMemo(() => withVitals(listed, complete ? byId : noFigures), [listed, complete, byId])
  const connections = list?.connections ?? first.connections
  const figureCounts = summary?.counts ?? first.figures.counts
  const collection = useCollection(serverCollection, servers, {
    whole: complete ? null : first,
    counts: figureCounts,
    held: complete && !ready,
  })
  const { figures, counts, query, shown } = collection
  useRecount('servers', figures.all)
  const severalServices = connections.length > 1
  const longStates = useMemo(() => shown.some(({ reach }) => reach.kind === 'unknown'), [shown])
  const views = useListViews(collection, { list: 'servers', first: firstViews, usual: usualColumns })
  const { shown: chosen } = views
  const filled = useMemo(
    () => new Set(complete ? [...filledColumnsOf(serverColumns, servers), ...(summary ?? first.figures).filled] : first.filled),
    [complete, servers, summary, first],
  )
  const hasColumn = useCallback((id: string) => filled.has(id) && (id !== 'service' || severalServices), [filled, severalServices])
  const columns = useMemo(() => {
    const drawn = tableColumnsOf(serverColumns, (id) => chosen.includes(id) && hasColumn(id))
    const sized = drawn.map((column) => (column.id === 'state' && longStates ? { ...column, minWidth: longStateWidth } : column))
    return withFolded(sized, (server) => <NarrowServer server={server} />)
  }, [chosen, hasColumn, longStates])
  const facets = serverCollection.facets.filter(({ id }) => {
    if (chosenOf(query, id).length > 0) return true
    return id === 'service' ? severalServices : !figureFacets.has(id) || (counts[id] ?? []).some(({ value }) => value !== 'none')
  })
  const sandbox = connections.find(({ simulates }) => simulates)
  return (
    <>
      <PageHead wide title="Servers" actions={mayChange ? <AddButton /> : null} />
      <PageBody wide>
        <ConnectionNotices noun="server" link={link} connections={connections} problem={problem} readAt={readAt} />
        <ScreenFiguresReader first={first.rows}>
          <Collection
            collection={collection}
            columns={columns}
            lines="one"
            href={hrefOf}
            complete={complete}
            csv={serverCsv}
            csvRows={withAllFigures}
            tools={<ListViewsMenu views={views} choices={choicesOf(serverColumns, hasColumn)} />}
            facets={facets}
            bulk={(selected) => <BulkActions servers={selected} known={(counts.label ?? []).map(({ value }) => value)} offers={offers} />}
            empty={<NoServers mayAdd={mayChange} guest={guest} denied={denied} sandboxConnectionId={sandbox?.id ?? null} />}
          />
        </ScreenFiguresReader>
      </PageBody>
    </>
  )
}

/** While the list cannot be read, all states are unknown, last seen at `readAt`, or when the page was rendered. */
function useStanding(servers: readonly ServerLine[], problem: Problem | null, readAt: number | null): readonly ServerLine[] {
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

type NoServersProps = {
  mayAdd: boolean
  /** Whether they see only what others gave access to. */
  guest: boolean
  /** Who can add some or give access, for those who may not add any. */
  denied: ReactNode
  /** The connection whose service simulates servers; null if none does. */
  sandboxConnectionId: string | null
}

/** What a team without servers sees. */
function NoServers({ mayAdd, guest, denied, sandboxConnectionId }: NoServersProps) {
  const actions =
    mayAdd && sandboxConnectionId ? (
      <>
        <ButtonLink href="/servers/new?provider=sandbox">Try with a sandbox server</ButtonLink>
        <CreateSandboxButton connectionId={sandboxConnectionId} />
      </>
    ) : null
  return (
    <Card>
      <EmptyState title={guest && !mayAdd ? 'No servers in your access' : 'No servers yet'} actions={actions}>
        {guest && !mayAdd ? null : sandboxConnectionId ? (
          <OwnServers mayAdd={mayAdd} />
        ) : (
          <p>Add a server to see its disk, memory and updates here.</p>
        )}
        {mayAdd ? null : denied}
      </EmptyState>
    </Card>
  )
}

const OwnServers = ({ mayAdd }: { mayAdd: boolean }) => (
  <>
    <p>Add a Debian server you can reach over SSH, follow its installation, and see its disk, memory and updates here.</p>
    {mayAdd ? (
      <p>
        You need its address and a login, for example <code className="font-mono text-code text-ink">root@203.0.113.24</code>. No server at
        hand? A sandbox server is simulated and touches nothing real.
      </p>
    ) : null}
  </>
)
