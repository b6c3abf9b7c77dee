'use client'

import { type ReactNode, useMemo } from 'react'
import type { ListViews } from '@/lib/portal/identity/list-views'
import type { ConnectionRow } from '@/lib/portal/subjects/listing/list'
import type { ListedSite } from '@/lib/portal/subjects/sites/list'
import { Collection } from '../collection/collection'
import { ConnectionNotices } from '../collection/connection-notices'
import { choicesOf, filledColumnsOf, tableColumnsOf, usualColumnsOf, withFolded } from '../collection/list-column'
import { ListViewsMenu } from '../collection/list-views-menu'
import { useCollection, type Whole } from '../collection/use-collection'
import { useListViews } from '../collection/use-list-views'
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
  /** The member's columns and saved views. Without them, the usual columns are shown. */
  views?: ListViews
  /** Only the sites of one server, and the state of its connection only. */
  server?: { id: string; connectionLabel: string }
  /** The actions for all selected sites; without it, none can be selected. labels: those in use. */
  bulk?: (selected: readonly ListedSite[], labels: readonly string[]) => ReactNode
}

const hrefOf = ({ id }: ListedSite): string => `/sites/${id}`

const noViews: ListViews = { columns: null, saved: [] }

const usualColumns = usualColumnsOf(siteColumns)

/** several: whether the list is of several servers. */
function offeredColumns(sites: readonly ListedSite[], several: boolean): ReadonlySet<string> {
  const services = new Set(sites.map(({ connectionLabel }) => connectionLabel))
  const offers = (id: string) => (id === 'server' ? several : id !== 'service' || services.size > 1)
  return new Set(filledColumnsOf(siteColumns, sites).filter(offers))
}

/** The sites of all servers, or of one: the first rows are there immediately, all of them a moment later. */
export function SiteList({ first, mayChange, denied, views: firstViews, server, bulk }: SiteListProps) {
  const serverId = server?.id
  const { list, problem, readAt } = useSiteList()
  const { link } = usePortalLink()
  const all = list?.sites ?? first.rows
  const sites = useMemo(() => (serverId === undefined ? all : all.filter((site) => site.serverId === serverId)), [all, serverId])
  const connections = (list?.connections ?? first.connections).filter(
    ({ label }) => server === undefined || label === server.connectionLabel,
  )
  const collection = useCollection(serverId === undefined ? siteCollection : sitesOfServer, sites, { whole: list ? null : first })
  useRecount('sites', serverId === undefined ? collection.figures.all : null)
  const views = useListViews(collection, { list: 'sites', first: firstViews ?? noViews, usual: usualColumns })
  const { shown } = views
  const offered = useMemo(() => offeredColumns(sites, serverId === undefined), [sites, serverId])
  const columns = useMemo(() => {
    const drawn = tableColumnsOf(siteColumns, (id) => offered.has(id) && shown.includes(id))
    return withFolded(drawn, (site) => <NarrowSite site={site} server={serverId === undefined} />)
  }, [offered, shown, serverId])
  const { counts } = collection
  // A filter with one value would filter nothing, but of a label: not all sites have it.
  const fewest = (id: string) => (id === 'label' ? 1 : 2)
  const facets = siteCollection.facets.filter(
    ({ id }) => (counts[id] ?? []).length >= fewest(id) || collection.query[id as 'state'].length > 0,
  )
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
        tools={firstViews && <ListViewsMenu views={views} choices={choicesOf(siteColumns, (id) => offered.has(id))} />}
        {...(bulk && {
          bulk: (selected: readonly ListedSite[]) =>
            bulk(
              selected,
              (counts.label ?? []).map(({ value }) => value),
            ),
        })}
        facets={facets.filter(({ id }) => id !== 'server' || serverId === undefined)}
        empty={<NoSites mayAdd={mayChange} denied={denied} serverId={serverId} unread={connections.some((one) => one.problem !== null)} />}
      />
    </div>
  )
}
