'use client'

import { type ReactNode, useMemo } from 'react'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ConnectionRow } from '@/lib/portal/subjects/listing/list'
import type { BackupLine } from '@/lib/portal/views/backups/line'
import { Collection } from '../../_shared/collection/collection'
import { ConnectionNotices } from '../../_shared/collection/connection-notices'
import { filledColumnsOf, tableColumnsOf, withFolded } from '../../_shared/collection/list-column'
import { useCollection, type Whole } from '../../_shared/collection/use-collection'
import { usePortalLink } from '../../_shared/frame/portal-link'
import { lazyComponent } from '../../_ui/lazy'
import { MenuLink } from '../../_ui/menu'
import { Link } from '../../_ui/page-link'
import type { RowMenu } from '../../_ui/table/column'
import { backupLineColumns, NarrowLine } from './backup-line-columns'
import { backupCollection, backupCsv } from './backup-lines'
import { BackupSentence } from './backup-sentence'
import type { Target } from './bulk-actions'
import { useBackupList } from './use-backup-list'

const BulkActions = lazyComponent(() => import('./bulk-actions').then((file) => file.BulkActions))

/** What the server rendered: the first rows that match the address, and figures about the whole list. */
type FirstBackups = Whole & { rows: readonly BackupLine[]; connections: readonly ConnectionRow[] }

type BackupsViewProps = {
  first: FirstBackups
  /** Where the reader may have copies stored now; null for a reader who may not know of backup targets. */
  targets: readonly Target[] | null
  mayAddTarget: boolean
  /** See useBatchOffers. */
  offers: BatchOffer[] | null
  empty: ReactNode
}

const hrefOf = ({ of, id, gone }: BackupLine): string =>
  gone ? '/team/backup-targets' : of === 'server' ? `/servers/${id}/backups` : `/sites/${id}/backups`

const menu: RowMenu<BackupLine> = {
  label: ({ domain }) => `Actions for ${domain}`,
  items: ({ of, id, gone, serverId }) =>
    gone ? (
      <MenuLink href="/team/backup-targets">Recovery kit</MenuLink>
    ) : of === 'server' ? (
      <MenuLink href={`/servers/${id}`}>Open server</MenuLink>
    ) : (
      <>
        <MenuLink href={`/sites/${id}/backups`}>Restore or download</MenuLink>
        <MenuLink href={`/sites/${id}`}>Open site</MenuLink>
        {serverId === null ? null : <MenuLink href={`/servers/${serverId}/backups`}>Backups of its server</MenuLink>}
      </>
    ),
}

/** The backups of all sites, and of servers themselves that are copied elsewhere: the first rows are there immediately, all of them a moment later. */
export function BackupsView({ first, targets, mayAddTarget, offers, empty }: BackupsViewProps) {
  const { list, problem, readAt } = useBackupList()
  const { link } = usePortalLink()
  const lines = list?.backups ?? first.rows
  const connections = list?.connections ?? first.connections
  const collection = useCollection(backupCollection, lines, { whole: list ? null : first })
  const columns = useMemo(() => {
    const filled = new Set(filledColumnsOf(backupLineColumns, lines))
    return withFolded(
      tableColumnsOf(backupLineColumns, (id) => filled.has(id)),
      (line) => <NarrowLine line={line} />,
    )
  }, [lines])
  const { counts, figures, query, open } = collection
  // A filter with one value would filter nothing.
  const facets = backupCollection.facets.filter(({ id }) => (counts[id] ?? []).length > 1 || query[id as 'state'].length > 0)
  return (
    <div className="flex flex-col gap-5">
      <ConnectionNotices noun="site" link={link} connections={connections} problem={problem} readAt={readAt} />
      {figures.all === 0 ? null : (
        <div className="flex flex-col gap-1.5">
          <BackupSentence counts={counts} all={figures.all} query={query} onOpen={open} />
          {mayAddTarget && targets?.length === 0 && lines.every(({ copies }) => !copies?.length) ? <NoTargets /> : null}
        </div>
      )}
      <Collection
        collection={collection}
        columns={columns}
        lines="one"
        href={hrefOf}
        menu={menu}
        complete={list !== null}
        csv={backupCsv}
        facets={facets}
        bulk={(selected) => <BulkActions lines={selected} targets={targets ?? []} offers={offers} />}
        empty={empty}
      />
    </div>
  )
}

const NoTargets = () => (
  <p className="text-small text-muted">
    Backups are only on the disks of their servers.{' '}
    <Link href="/team/backup-targets" className="text-ink underline underline-offset-4 hover:text-accent">
      Add a backup target
    </Link>{' '}
    to copy them elsewhere.
  </p>
)
