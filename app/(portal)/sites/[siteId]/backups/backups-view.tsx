'use client'

import { useMemo, useState } from 'react'
import { AskInstead } from '@/app/_shared/access-requests/ask-context'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Button } from '@/app/_ui/button'
import { useDrawnNow, useTimeZone } from '@/app/_ui/clock'
import { countOf } from '@/app/_ui/count'
import { EmptyState } from '@/app/_ui/empty-state'
import { MenuItem } from '@/app/_ui/menu'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import type { RowMenu } from '@/app/_ui/table/column'
import type { JobView } from '@/lib/portal/jobs/view'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import type { SubjectCopies } from '@/lib/portal/subjects/backup-targets/copies'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { deleteSiteBackups } from './actions'
import { type BackupsAnswer, newestGood } from './backup'
import { backupColumns } from './backup-columns'
import { arrangeByDay, type BackupRow, backupCollection, backupRows, idsOfRow } from './backup-rows'
import { CopiesElsewhere } from './copies-elsewhere'
import { Download } from './download'
import { RestoreBackup } from './restore-backup'
import { createId, useBackups } from './use-backups'

/**
 * created, restored, prepared, copied, fetched, proven: the newest jobs that the server found. elsewhere: copies by target; null if the service makes none. schedule: that of these copies;
 * null if the reader may not see it.
 */
type Extra = {
  site: SiteRow
  mayCreate: boolean
  mayExport: boolean
  mayCopy: boolean
  elsewhere: readonly SubjectCopies[] | null
  schedule: PlaceSchedule | null
} & Record<'created' | 'restored' | 'prepared' | 'copied' | 'fetched' | 'proven', JobView | null>

type Chosen = Extract<BackupRow, { kind: 'backup' }>

/** The backups of a site by day: created, restored and deleted; and the download of the site as it is now. */
export function BackupsView({ id: siteId, name, first, may, extra }: SubjectViewProps<BackupsAnswer, Extra>) {
  const read = useOperation('backups.list', { siteId }, { first, everyMs: 60_000 })
  const { job, kept, busy, refusal, create, starting, restoreStarted, fetching, copyRestoreStarted } = useBackups(siteId, name, {
    created: extra?.created ?? null,
    restored: extra?.restored ?? null,
    fetched: extra?.fetched ?? null,
  })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const timeZone = useTimeZone()
  const now = useDrawnNow(3_600_000)
  const rows = useMemo(() => backupRows(read.data?.items ?? [], { timeZone, now }), [read.data, timeZone, now])
  const collection = useCollection(backupCollection, rows)
  if (!extra) return null
  const { site, prepared, copied, proven, elsewhere, schedule, mayCreate, mayExport, mayCopy } = extra
  const changeable = read.data !== null && site.deletingJobId === null
  const changes = may && changeable
  return (
    <>
      {refusal ? <Notice tone="danger" alert title={refusal.sentence} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {kept === '' ? null : <KeptSite path={kept} />}
      <Collection
        collection={collection}
        columns={backupColumns}
        read={read}
        nothingRead={`The backups of ${toReadableDomain(name)} could not be listed.`}
        title="Backups"
        aside={
          mayCreate && changeable ? (
            <Button id={createId} variant="primary" disabled={busy} onClick={() => void create()}>
              Create backup
            </Button>
          ) : mayCreate ? undefined : (
            <AskInstead what="backups change" name="Create backup" />
          )
        }
        arrange={(shown, { column }) => (column === '' ? arrangeByDay(shown) : shown)}
        idsOf={idsOfRow}
        {...(changes && { menu: restoreMenu(busy, setChosen) })}
        after={site.extensions && rows.length > 0 ? <StoredHere /> : null}
        empty={<NoBackups />}
        {...(changes && {
          remove: {
            action: deleteSiteBackups,
            target: { siteId },
            may,
            description: (selected: readonly BackupRow[]) => <WhatGoes rows={rows} selected={selected} />,
            nameOf: backupCollection.nameOf,
            onSettled: read.again,
          },
        })}
      />
      {elsewhere === null ? null : (
        <CopiesElsewhere
          site={site}
          copied={copied}
          proven={proven}
          elsewhere={elsewhere}
          schedule={schedule}
          may={mayCopy && changeable}
          hasBackup={rows.length > 0}
          restore={changes ? { busy, starting: fetching, onStarted: copyRestoreStarted } : null}
        />
      )}
      {mayExport && site.deletingJobId === null ? <Download site={site} prepared={prepared} /> : null}
      <RestoreBackup site={site} chosen={chosen} refetch={starting} onClose={() => setChosen(null)} onStarted={restoreStarted} />
    </>
  )
}

const restoreMenu = (busy: boolean, onRestore: (row: Chosen) => void): RowMenu<BackupRow> => ({
  label: (row) => `Actions for ${backupCollection.nameOf(row)}`,
  items: (row) => (row.kind === 'backup' && !busy ? <MenuItem onSelect={() => onRestore(row)}>Restore…</MenuItem> : null),
  quick: (row) =>
    row.kind === 'backup' ? (
      <Button variant="ghost" aria-label={`Restore ${row.title}`} onClick={() => onRestore(row)}>
        Restore
      </Button>
    ) : null,
  quickWord: true,
})

const KeptSite = ({ path }: { path: string }) => (
  <Notice tone="info" title="The site was restored. The one that it replaced is kept on the server for 24 hours.">
    <code className="font-mono text-code break-all">{path}</code>
  </Notice>
)

const StoredHere = () => (
  <p className="text-small text-muted">Stored on the site’s server. Copies elsewhere survive the loss of the server.</p>
)

function NoBackups() {
  const foreign = useForeign()
  return (
    <Card>
      <EmptyState title="No backups yet">
        {foreign ? (
          <p>The service lists no backups of this site.</p>
        ) : (
          <p>
            A backup is made every night; the newest seven are kept, and the oldest is deleted only after a newer one was verified. Backups
            from before a restore, a push or a deletion are kept for seven days.
          </p>
        )}
      </EmptyState>
    </Card>
  )
}

type Rows = readonly BackupRow[]

const backupsIn = (rows: Rows) => rows.flatMap((row) => (row.kind === 'backup' ? [row] : []))

/** What can still be restored after a deletion. */
function WhatGoes({ rows, selected }: { rows: Rows; selected: Rows }) {
  const foreign = useForeign()
  const gone = new Set(selected.map(({ id }) => id))
  const left = backupsIn(rows).filter(({ id }) => !gone.has(id))
  const good = newestGood(left.map(({ backup }) => backup))
  const at = left.find(({ backup }) => backup === good)?.made.at ?? null
  const stays = `${countOf(left.length, 'backup')} ${left.length === 1 ? 'stays' : 'stay'}`
  return (
    <p>
      {gone.size === 1 ? 'It' : 'They'} cannot be restored.{' '}
      {left.length === 0 ? (
        <Danger>
          {foreign ? 'These are all the backups that the service lists.' : 'No backup of this site remains until the next night.'}
        </Danger>
      ) : good === null ? (
        <Danger>None of the remaining backups is verified.</Danger>
      ) : foreign || at === null ? (
        `${stays}.`
      ) : (
        <>
          {stays}, the newest verified one from <RelativeTime at={at} />.
        </>
      )}
    </p>
  )
}

const Danger = ({ children }: { children: string }) => <strong className="font-semibold text-danger">{children}</strong>
