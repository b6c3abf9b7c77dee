import { useForeign } from '@/app/_shared/connections/foreign-service'
import { countOf } from '@/app/_ui/count'
import { RelativeTime } from '@/app/_ui/relative-time'
import { newestGood } from './backup'
import type { BackupRow } from './backup-rows'

type Rows = readonly BackupRow[]

const backupsIn = (rows: Rows) => rows.flatMap((row) => (row.kind === 'backup' ? [row] : []))

/** What can still be restored after a deletion. */
export function WhatGoes({ rows, selected }: { rows: Rows; selected: Rows }) {
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
