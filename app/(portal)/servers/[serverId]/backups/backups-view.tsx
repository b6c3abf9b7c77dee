'use client'

import { useMemo } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useOperation } from '@/app/_shared/reads/use-read'
import { useDrawnNow, useNow, useTimeZone } from '@/app/_ui/clock'
import { countOf } from '@/app/_ui/count'
import { EmptyState } from '@/app/_ui/empty-state'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import { formatSize, totalBytes } from '@/app/_ui/size'
import { deleteBackups } from './actions'
import { type Backup, type BackupsAnswer, isLate, madeAt, newestFirst, newestGood, titlesOf } from './backup'
import { type BackupRow, backupCollection, backupColumns } from './backup-columns'
import { LastBackups } from './last-backups'
import { FirstDue, NightlyRun } from './nightly-run'
import { ServerCopies, type ServerCopiesProps } from './server-copies'

/** mayCreate: whether this user may create sites. copies: null if the reader may not see copies elsewhere. */
type Extra = { mayCreate: boolean; copies: ServerCopiesProps | null }

/** The nightly backups of a server, and below them the last backups of sites that were deleted from it. */
export function BackupsView({ id: serverId, name, first, may, extra }: SubjectViewProps<BackupsAnswer, Extra>) {
  const foreign = useForeign()
  const read = useOperation('serverBackups.list', { serverId }, { first, everyMs: 60_000 })
  const timeZone = useTimeZone()
  const now = useDrawnNow(3_600_000)
  const backups = useMemo(() => {
    const titleOf = titlesOf({ timeZone, now, foreign })
    return newestFirst(read.data?.items ?? []).map((backup): BackupRow => ({ ...backup, id: backup.name, title: titleOf(backup) }))
  }, [read.data, timeZone, now, foreign])
  const collection = useCollection(backupCollection, backups)
  const newestId = backups[0]?.id ?? ''
  const columns = useMemo(() => backupColumns({ newestId, foreign }), [newestId, foreign])
  const { last, timer } = read.data ?? {}
  const tellsMore = !foreign && backups.length > 0
  return (
    <>
      <Collection
        collection={collection}
        columns={columns}
        read={read}
        nothingRead={`The backups of ${name} could not be listed.`}
        title="Backups"
        aside={backups.length > 0 ? <Total backups={backups} /> : undefined}
        before={
          <>
            <NightlyRun last={last} timer={timer} />
            {tellsMore ? <Lazy backups={backups} last={last} /> : null}
          </>
        }
        after={
          tellsMore && !isCopied(extra?.copies) ? (
            <p className="text-small text-muted">Stored on this server only. Copy important ones elsewhere.</p>
          ) : null
        }
        empty={<NoBackups last={last} timer={timer} />}
        remove={{
          action: deleteBackups,
          target: { serverId },
          may,
          description: (selected) =>
            foreign ? <WhatStays backups={backups} selected={selected} /> : <WhatGoes backups={backups} selected={selected} />,
          nameOf: backupCollection.nameOf,
          onSettled: read.again,
        }}
      />
      {foreign || !extra?.copies ? null : (
        <ServerCopies serverId={serverId} hasBackup={backups.some(({ proven }) => proven === true)} {...extra.copies} />
      )}
      {foreign ? null : <LastBackups serverId={serverId} name={name} may={may} mayCreate={extra?.mayCreate ?? false} />}
    </>
  )
}

const isCopied = (copies: ServerCopiesProps | null | undefined): boolean =>
  copies?.elsewhere.some(({ lastGood }) => lastGood !== null) ?? false

function NoBackups({ last, timer }: Pick<BackupsAnswer, 'last' | 'timer'>) {
  const foreign = useForeign()
  return (
    <Card>
      <EmptyState title="No backups yet">
        {foreign ? (
          <p>The service lists no backups of this server.</p>
        ) : (
          <>
            <p>
              An installed server backs up its configuration, crontabs, sites and databases every night. Seven backups are kept; the oldest
              is deleted only after a newer one was verified.
            </p>
            {last ? null : <FirstDue timer={timer} />}
          </>
        )}
      </EmptyState>
    </Card>
  )
}

function Total({ backups }: { backups: readonly Backup[] }) {
  const bytes = totalBytes(backups)
  return (
    <p className="text-small text-muted">
      {countOf(backups.length, 'backup')}
      {bytes === null ? '' : `, ${formatSize(String(bytes))} in total`}
    </p>
  )
}

function Lazy({ backups, last }: { backups: readonly Backup[]; last: BackupsAnswer['last'] }) {
  const now = useNow(60_000)
  if (now === null || !isLate(backups, now)) return null
  const at = madeAt(newestGood(backups) ?? { name: '', size: '' }) ?? ''
  return (
    <Notice
      tone="warn"
      title={
        <>
          The last good backup was created <RelativeTime at={at} />.
        </>
      }
    >
      A backup should run every night.{last ? null : ' See the journal of gatehouse-backup for the reason.'}
    </Notice>
  )
}

type DeletedProps = { backups: readonly BackupRow[]; selected: readonly BackupRow[] }

/** For another service it is unknown which backups are good, and whether there will be more. */
function WhatStays({ backups, selected }: DeletedProps) {
  const left = backups.length - selected.length
  if (left === 0) return <p>These are all the backups that the service lists.</p>
  return (
    <p>
      {countOf(left, 'backup')} {left === 1 ? 'stays' : 'stay'}.
    </p>
  )
}

/** Describes what remains after the deletion. */
function WhatGoes({ backups, selected }: DeletedProps) {
  const left = backups.filter((backup) => !selected.includes(backup))
  const good = newestGood(left)
  const at = good && madeAt(good)
  return (
    <p>
      {selected.length === 1 ? 'It' : 'They'} cannot be restored.{' '}
      {left.length === 0 ? (
        <strong className="font-semibold text-danger">No backup remains: until the next nightly backup, nothing can be restored.</strong>
      ) : good === null ? (
        <strong className="font-semibold text-danger">None of the remaining backups is both verified and complete.</strong>
      ) : (
        <>
          {countOf(left.length, 'backup')} {left.length === 1 ? 'stays' : 'stay'}, the newest good one{' '}
          {at ? (
            <>
              from <RelativeTime at={at} />
            </>
          ) : (
            `is ${good.name}`
          )}
          .
        </>
      )}
    </p>
  )
}
