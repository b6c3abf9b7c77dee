'use client'

import { useOperation } from '@/app/_shared/reads/use-read'
import { TakenAliases } from '@/app/_shared/sites/taken-aliases'
import { Card } from '@/app/_ui/card'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'

/** The last backup that becomes a site: what it has, what it lacks, and that it is gone if so. */
export function RestoredBackup({ serverId, name }: { serverId: string; name: string }) {
  const { data } = useOperation('lastBackups.list', { serverId }, { everyMs: 60_000 })
  const backup = data?.items.find((each) => each.name === name)
  if (data && !backup) return <Notice tone="danger" title="This last backup is no longer on the server." />
  const lacks = backup?.lacks ?? []
  return (
    <Card className="flex flex-col gap-1.5 p-4">
      <p className="font-mono text-code wrap-anywhere">{name}</p>
      {backup ? (
        <p className="text-small text-muted">
          {formatSize(String(backup.size))}, {backup.created_at === undefined ? 'date unknown' : <RelativeTime at={backup.created_at} />}
          {backup.proven === false ? ', not verified' : ''}
        </p>
      ) : null}
      {lacks.length > 0 ? (
        <p className="text-small text-warn">It was made by an earlier version, which did not back up {lacks.join(' and ')}.</p>
      ) : null}
      <TakenAliases taken={backup?.taken} />
      <p className="text-small text-muted">
        Files, database and settings come back, with the database password of then. The last line of the job says what does not.
      </p>
    </Card>
  )
}
