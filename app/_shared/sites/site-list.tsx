'use client'

import { type ReactNode, useMemo } from 'react'
import type { ConnectionRow } from '@/lib/portal/subjects/listing/list'
import type { ListedSite } from '@/lib/portal/subjects/sites/list'
import type { Column } from '../../_ui/table/column'
import { Collection } from '../collection/collection'
import { ConnectionNotices } from '../collection/connection-notices'
import { tableColumnsOf } from '../collection/list-column'
import { useCollection, type Whole } from '../collection/use-collection'
import { usePortalLink } from '../frame/portal-link'
import { useRecount } from '../reads/use-counts'
import { NoSites } from './no-sites'
import { NarrowSite } from './site-cells'
import { siteColumns } from './site-columns'
import { siteCollection, siteCsv, sitesOfServer } from './site-rows'
import { useSiteList } from './use-site-list'

/** What the server rendered: the first rows that match the address, and figures about the whole list. */
export type FirstSites = Whole & { rows: readonly ListedSite[]; connections: readonly ConnectionRow[] }

type SiteListProps = {
  first: FirstSites
  mayChange: boolean
  /** See NoSites. */
  denied: ReactNode
  /** Only the sites of one server, and the state of its connection only. */
  server?: { id: string; connectionLabel: string }
  /** The actions for all selected sites; without it, none can be selected. */
  bulk?: (selected: readonly ListedSite[]) => ReactNode
}

const hrefOf = ({ id }: ListedSite): string => `/sites/${id}`

/** Columns for which services that do not report them have no value: offered as soon as any site has one. */
const reported: Readonly<Record<string, (site: ListedSite) => boolean>> = {
  state: ({ state }) => state !== '',
  ssl: ({ ssl }) => ssl !== '',
  points: ({ points }) => points !== '',
  staging: ({ staging }) => staging !== '',
}

/** server: whether the sites are of several servers. The column that is hidden last shows all of it below the domain. */
function siteTableColumns(sites: readonly ListedSite[], server: boolean): Column<ListedSite>[] {
  const has = (id: string) => sites.some(reported[id] ?? (() => true))
  const several = { server, service: sites.some(({ connectionLabel }) => connectionLabel !== sites[0]?.connectionLabel) }
  const columns = tableColumnsOf(siteColumns, (id) => (id === 'server' || id === 'service' ? several[id] : has(id)))
  const last = Math.max(...columns.map(({ leaves = 0 }) => leaves))
  return columns.map((column) =>
    column.leaves === last ? { ...column, folded: (site) => <NarrowSite site={site} server={server} /> } : column,
  )
}

/** The sites of all servers, or of one: the first rows are there immediately, all of them a moment later. */
export function SiteList({ first, mayChange, denied, server, bulk }: SiteListProps) {
  const serverId = server?.id
  const { list, problem, readAt } = useSiteList()
  const { link } = usePortalLink()
  const all = list?.sites ?? first.rows
  const sites = useMemo(() => (serverId === undefined ? all : all.filter((site) => site.serverId === serverId)), [all, serverId])
  const connections = (list?.connections ?? first.connections).filter(
    ({ label }) => server === undefined || label === server.connectionLabel,
  )
  const collection = useCollection(serverId === undefined ? siteCollection : sitesOfServer, sites, list ? null : first)
  useRecount('sites', serverId === undefined ? collection.figures.all : null)
  const columns = useMemo(() => siteTableColumns(sites, serverId === undefined), [sites, serverId])
  const { counts } = collection
  // A filter with one value would filter nothing.
  const facets = siteCollection.facets.filter(({ id }) => (counts[id] ?? []).length > 1 || collection.query[id as 'state'].length > 0)
  return (
    <div className="flex flex-col gap-5">
      <ConnectionNotices noun="site" link={link} connections={connections} problem={problem} readAt={readAt} />
      <Collection
        collection={collection}
        columns={columns}
        lines="one"
        href={hrefOf}
        complete={list !== null}
        csv={siteCsv}
        {...(bulk && { bulk })}
        facets={facets.filter(({ id }) => id !== 'server' || serverId === undefined)}
        empty={<NoSites mayAdd={mayChange} denied={denied} serverId={serverId} unread={connections.some((one) => one.problem !== null)} />}
      />
    </div>
  )
}
