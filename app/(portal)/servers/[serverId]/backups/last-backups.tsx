'use client'

import { useMemo, useState } from 'react'
import { CollectionSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { ButtonLink } from '@/app/_ui/button'
import { useDrawnNow, useTimeZone } from '@/app/_ui/clock'
import { countOf } from '@/app/_ui/count'
import { dayTimeFormat } from '@/app/_ui/day-time'
import { MenuItem, MenuLink } from '@/app/_ui/menu'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import { toast } from '@/app/_ui/toast'
import type { Answer } from '@/lib/contract/operation'
import type { lastBackups } from '@/lib/contract/operations/last-backups'
import { toReadableDomain } from '@/lib/text/idn'
import { deleteLastBackups } from './actions'

type LastBackup = Answer<typeof lastBackups.list>['items'][number] & { id: string; title: string }

type LastBackupsProps = { serverId: string; name: string; may: boolean; mayCreate: boolean }

/** The last backups of sites that were deleted from the server: each can be restored as a site. */
export function LastBackups({ serverId, name, may, mayCreate }: LastBackupsProps) {
  const read = useOperation('lastBackups.list', { serverId }, { everyMs: 60_000 })
  const [chosen, setChosen] = useState<LastBackup | null>(null)
  const timeZone = useTimeZone()
  const now = useDrawnNow(3_600_000)
  const rows = useMemo(() => {
    const format = dayTimeFormat({ timeZone, now })
    const titleOf = ({ domain, created_at }: { domain: string; created_at?: string | undefined }) =>
      created_at === undefined
        ? toReadableDomain(domain)
        : `${toReadableDomain(domain)}, deleted ${lowerFirst(format(Date.parse(created_at)))}`
    return (read.data?.items ?? []).map((backup) => ({ ...backup, id: backup.name, title: titleOf(backup) }))
  }, [read.data, timeZone, now])
  if (read.data === null && !read.problem)
    return <CollectionSkeleton title="Deleted sites" waitsFor={`Listing the last backups of sites that were deleted from ${name}.`} />
  return (
    <Section
      title="Deleted sites"
      aside={rows.length > 0 ? <p className="text-small text-muted">{countOf(rows.length, 'last backup')}</p> : undefined}
    >
      <ReadError read={read} nothingRead="The last backups of deleted sites could not be listed." />
      {read.data === null ? null : rows.length === 0 ? (
        <Card className="p-4 text-muted">
          <p>When a site is deleted, its last backup is listed here for 7 days. It can be restored as a site.</p>
        </Card>
      ) : (
        <Table
          label="Last backups of deleted sites"
          columns={columns}
          rows={rows}
          {...(mayCreate && { menu: menuOf(serverId, may, setChosen) })}
        />
      )}
      {chosen ? <DeleteLast serverId={serverId} backup={chosen} onClose={() => setChosen(null)} onSettled={read.again} /> : null}
    </Section>
  )
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const restoreAddress = (serverId: string, { domain, name }: LastBackup): string =>
  `/sites/new?${new URLSearchParams({ server: serverId, domain, backup: name })}`

const menuOf = (serverId: string, may: boolean, onDelete: (backup: LastBackup) => void): RowMenu<LastBackup> => ({
  label: ({ title }) => `Actions for ${title}`,
  items: (backup) => (
    <>
      <MenuLink href={restoreAddress(serverId, backup)}>Restore…</MenuLink>
      {may ? (
        <MenuItem danger onSelect={() => onDelete(backup)}>
          Delete…
        </MenuItem>
      ) : null}
    </>
  ),
  quick: (backup) => (
    <ButtonLink variant="ghost" href={restoreAddress(serverId, backup)} aria-label={`Restore ${backup.domain}`}>
      Restore
    </ButtonLink>
  ),
  quickWord: true,
})

const muted = (text: React.ReactNode) => <span className="text-small text-muted">{text}</span>

const ageOf = (at: string | undefined) => (at === undefined ? 'Unknown' : <RelativeTime at={at} />)

const columns: readonly Column<LastBackup>[] = [
  {
    id: 'domain',
    label: 'Domain',
    minWidth: 200,
    grows: true,
    main: true,
    cell: ({ domain, proven, lacks = [] }) => (
      <>
        <span className="font-semibold wrap-anywhere">{toReadableDomain(domain)}</span>
        {proven === false ? <span className="block text-small text-warn">Not verified</span> : null}
        {lacks.length > 0 ? (
          <span className="block text-small text-muted">Made by an earlier version, without {lacks.join(' and ')}</span>
        ) : null}
      </>
    ),
  },
  {
    id: 'size',
    label: 'Size',
    minWidth: 100,
    leaves: 2,
    cell: ({ size }) => formatSize(String(size)),
    folded: ({ size }) => muted(formatSize(String(size))),
  },
  {
    id: 'deleted',
    label: 'Deleted',
    minWidth: 132,
    leaves: 3,
    className: 'text-muted',
    cell: ({ created_at }) => ageOf(created_at),
    folded: ({ created_at }) => muted(<>deleted {ageOf(created_at)}</>),
  },
  {
    id: 'kept',
    label: 'Kept until',
    minWidth: 132,
    leaves: 1,
    className: 'text-muted',
    cell: ({ kept_until }) => ageOf(kept_until),
  },
]

type DeleteLastProps = { serverId: string; backup: LastBackup; onClose: () => void; onSettled: () => void }

const DeleteLast = ({ serverId, backup, onClose, onSettled }: DeleteLastProps) => (
  <ConfirmDestroy
    open
    onOpenChange={() => {
      onClose()
      onSettled()
    }}
    title="Delete 1 last backup"
    description={
      <>
        <p>
          <strong className="font-semibold text-ink wrap-anywhere">{backup.title}</strong>: the site cannot be restored from it any more.
        </p>
        <p className="mt-2 rounded-control bg-sunken px-2.5 py-2 font-mono text-code text-ink wrap-anywhere">{backup.name}</p>
      </>
    }
    name="1"
    action={deleteLastBackups}
    target={{ serverId, ids: JSON.stringify([backup.name]) }}
    onDone={() => {
      onClose()
      onSettled()
      toast('The last backup was deleted.')
    }}
  />
)
