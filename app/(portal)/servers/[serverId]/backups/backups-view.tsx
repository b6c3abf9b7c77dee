'use client'

import { useMemo } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import { ReadTrouble } from '../../../../_shared/read-trouble'
import { useOperation } from '../../../../_shared/use-read'
import { useNow } from '../../../../_ui/clock'
import { EmptyState } from '../../../../_ui/empty-state'
import { Notice } from '../../../../_ui/notice'
import { RelativeTime } from '../../../../_ui/relative-time'
import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { DeletePicked, sayCount } from '../delete-picked'
import { useForeign } from '../foreign-service'
import { bytesOf, formatSize } from '../summary'
import { type Picked, usePicked } from '../use-picked'
import { deleteBackups } from './actions'
import { type Backup, type BackupsAnswer, isLate, madeAt, newestFirst, newestGood } from './backup'
import { BackupsTable } from './backups-table'
import { FirstDue, NightlyRun } from './nightly-run'

type BackupsViewProps = { serverId: string; name: string; first: Outcome<BackupsAnswer>; mayDelete: boolean }

const words = ['backup', 'backups'] as const

export function BackupsView({ serverId, name, first, mayDelete }: BackupsViewProps) {
  const foreign = useForeign()
  const read = useOperation('serverBackups.list', { serverId }, { first, everyMs: 60_000 })
  const backups = useMemo(() => newestFirst(read.data?.items ?? []), [read.data])
  const picked = usePicked(useMemo(() => backups.map((backup) => backup.name), [backups]))
  return (
    <>
      <ReadTrouble read={read} nothingRead={`The backups of ${name} could not be listed.`} />
      {read.data === null ? null : (
        <Section title="Backups" aside={backups.length > 0 ? <Total backups={backups} /> : undefined}>
          <NightlyRun last={read.data.last} timer={read.data.timer} />
          {backups.length === 0 ? (
            <Sheet>
              <EmptyState title="No backups yet">
                {foreign ? (
                  <p>The service lists no backups of this server.</p>
                ) : (
                  <>
                    <p>
                      An installed server backs itself up each night: its configuration, crontabs, sites and databases. Seven are kept, and
                      the oldest goes only once a newer one was proven.
                    </p>
                    {read.data.last ? null : <FirstDue timer={read.data.timer} />}
                  </>
                )}
              </EmptyState>
            </Sheet>
          ) : (
            <>
              {foreign ? null : <Late backups={backups} last={read.data.last} />}
              <BackupsTable backups={backups} picked={picked} />
              {foreign ? null : (
                <p className="text-small text-muted">
                  They lie on the server itself, so they do not outlive its disk: copy what must not be lost to another place.
                </p>
              )}
            </>
          )}
          <DeletePicked
            serverId={serverId}
            picked={picked}
            words={words}
            says={foreign ? <WhatStays backups={backups} picked={picked} /> : <WhatGoes backups={backups} picked={picked} />}
            names={picked.ids}
            mayDelete={mayDelete}
            action={deleteBackups}
            reread={read.again}
          />
        </Section>
      )}
    </>
  )
}

function Total({ backups }: { backups: readonly Backup[] }) {
  const bytes = backups.reduce((sum, { size }) => sum + (bytesOf(size) ?? 0), 0)
  return (
    <p className="text-small text-muted">
      {sayCount(backups.length, words)}, {formatSize(String(bytes))} in total
    </p>
  )
}

function Late({ backups, last }: { backups: readonly Backup[]; last: BackupsAnswer['last'] }) {
  const now = useNow(60_000)
  if (now === null || !isLate(backups, now)) return null
  const at = madeAt(newestGood(backups) ?? { name: '', size: '' }) ?? ''
  return (
    <Notice
      tone="warn"
      title={
        <>
          The last good backup was made <RelativeTime at={at} />.
        </>
      }
    >
      There should be one each night.{last ? null : ' The reason is in the journal, under gatehouse-backup.'}
    </Notice>
  )
}

/** Of another service nobody knows which backups are good, nor whether there will be more. */
function WhatStays({ backups, picked }: { backups: readonly Backup[]; picked: Picked }) {
  const left = backups.filter(({ name }) => !picked.has(name)).length
  if (left === 0) return <p>These are all the backups that the service lists.</p>
  return (
    <p>
      {sayCount(left, words)} {left === 1 ? 'stays' : 'stay'}.
    </p>
  )
}

/** What is left afterwards is what counts. */
function WhatGoes({ backups, picked }: { backups: readonly Backup[]; picked: Picked }) {
  const left = backups.filter((backup) => !picked.has(backup.name))
  const good = newestGood(left)
  const at = good && madeAt(good)
  return (
    <p>
      They cannot be brought back.{' '}
      {left.length === 0 ? (
        <strong className="font-semibold text-danger">These are all there are: until the next night nothing can be restored.</strong>
      ) : good === null ? (
        <strong className="font-semibold text-danger">None of those that stay is both proven and complete.</strong>
      ) : (
        <>
          {sayCount(left.length, words)} {left.length === 1 ? 'stays' : 'stay'}, the newest good one{' '}
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
