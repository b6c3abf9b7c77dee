'use client'

import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Problem, problem as problemOf } from '@/lib/contract/problem'
import { resolveReachability } from '@/lib/contract/reachability'
import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/row'
import { linkProblem, usePortalLink } from '../../_shared/portal-link'
import { useRecount } from '../../_shared/use-counts'
import { useServerList } from '../../_shared/use-server-list'
import { Button, ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { lateComponent } from '../../_ui/late'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Sheet } from '../../_ui/sheet'
import { ConnectionNotices } from './connection-notices'
import { downloadCsv } from './list-csv'
import { countFacets, type FacetCounts, filterServers, indexServers, orderServers } from './list-rows'
import { ListToolbar } from './list-toolbar'
import { NoServers } from './no-servers'
import { ServerTable } from './server-table'
import { useListQuery } from './use-list-query'
import { useSelection } from './use-selection'

// Needed only once something is selected; the list stays while it is fetched.
const BulkBar = lateComponent(() => import('./bulk-bar').then((file) => file.BulkBar))

/** What the server drew: the top of the list as the address asks for it, and figures of the whole. */
export type FirstServers = {
  servers: readonly ListedServer[]
  connections: readonly ConnectionRow[]
  counts: FacetCounts
  shown: number
  all: number
}

type ServersViewProps = { first: FirstServers; mayChange: boolean }

/** The list of servers: the top of it is there at once, all of it a moment later, and then filtered in memory. */
export function ServersView({ first, mayChange }: ServersViewProps) {
  const { list, problem, readAt } = useServerList()
  const { link } = usePortalLink()
  const { query, typed, type, change, clear } = useListQuery()
  const { column, descending } = query
  const servers = useStanding(list?.servers ?? first.servers, linkProblem(link) ?? problem, readAt)
  const connections = list?.connections ?? first.connections
  const index = useMemo(() => indexServers(servers), [servers])
  const counts = useMemo(() => (list ? countFacets(index) : first.counts), [list, index, first])
  const ordered = useMemo(() => orderServers(index, column, descending), [index, column, descending])
  const shown = useMemo(() => filterServers(ordered, query), [ordered, query])
  const selection = useSelection(servers, shown)
  const figures = list ? { shown: shown.length, all: servers.length } : { shown: first.shown, all: first.all }
  useRecount(figures.all)
  const hidden = useMemo(() => countHidden(selection.servers, shown), [selection.servers, shown])
  const severalServices = connections.length > 1
  const sandbox = connections.find(({ simulates }) => simulates)
  return (
    <>
      <PageHead title="Servers" actions={mayChange ? <AddButton /> : null} />
      <PageBody>
        <ConnectionNotices link={link} connections={connections} problem={problem} readAt={readAt} />
        {figures.all === 0 ? (
          <NoServers mayAdd={mayChange} sandboxConnectionId={sandbox?.id ?? null} />
        ) : (
          <div className="flex flex-col gap-3">
            <ListToolbar
              {...{ query, typed, counts, severalServices, ...figures }}
              onType={type}
              onChange={change}
              onClear={clear}
              onCsv={list ? () => downloadCsv(shown) : undefined}
              onEnterList={enterList}
            />
            {shown.length > 0 ? (
              <ServerTable
                servers={shown}
                count={figures.shown}
                order={query}
                onOrder={(to, down) => change({ column: to, descending: down })}
                selection={selection}
                severalServices={severalServices}
              />
            ) : (
              <NoneFits onClear={clear} />
            )}
            {selection.servers.length > 0 ? (
              <BulkBar
                servers={selection.servers}
                hidden={hidden}
                known={counts.label.map(({ value }) => value)}
                mayChange={mayChange}
                onClear={selection.clear}
              />
            ) : null}
          </div>
        )}
      </PageBody>
    </>
  )
}

/** While the list cannot be had, nothing is known of any server but when it was last seen: `readAt`, or when the page came. */
function useStanding(servers: readonly ListedServer[], problem: Problem | null, readAt: number | null): readonly ListedServer[] {
  const [openedAt] = useState(Date.now)
  const at = new Date(readAt ?? openedAt).toISOString()
  const code = problem?.code
  return useMemo(() => {
    if (code === undefined) return servers
    return servers.map((server) => ({ ...server, reach: resolveReachability(server.reach, noList, { checkedAt: at, seenAt: at }) }))
  }, [servers, code, at])
}

/** Whatever the reason, the question did not come as far as the servers. */
const noList = problemOf('upstream_unreachable')

/** From the search field to the first row. */
const enterList = (): void => document.querySelector<HTMLElement>('tr[data-index] a[tabindex="0"], tr[data-index] a')?.focus()

function countHidden(selected: readonly ListedServer[], shown: readonly ListedServer[]): number {
  if (selected.length === 0) return 0
  const ids = new Set(shown.map(({ id }) => id))
  return selected.filter(({ id }) => !ids.has(id)).length
}

const AddButton = () => (
  <ButtonLink href="/servers/new" look="primary">
    <Plus aria-hidden size={16} strokeWidth={1.5} />
    Add server
  </ButtonLink>
)

function NoneFits({ onClear }: { onClear: () => void }) {
  return (
    <Sheet>
      <EmptyState title="No server fits this filter" actions={<Button onClick={onClear}>Clear the filter</Button>}>
        <p>Name, hostname, DNS, address, label and service are searched. Every word has to fit.</p>
      </EmptyState>
    </Sheet>
  )
}
