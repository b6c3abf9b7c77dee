'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { RemoveEach } from '@/app/_shared/collection/kind'
import { Restorable } from '@/app/_shared/collection/restorable'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import { canBeSaved } from '@/lib/crontab/line'
import { type CronRow, cronCollection, cronColumns, cronMenu, cronRows, menuIdOf } from './cron-columns'
import { DeleteForGood } from './delete-for-good'
import type { CronAnswer, CronJob, Editing } from './job'
import { PartialNotice } from './partial-notice'
import { formatZone } from './schedule-words'
import { useCronJobs } from './use-cron-jobs'

const CronJobDialog = lazyComponent(() => import('./cron-job-dialog').then((file) => file.CronJobDialog))

export function CronView({ id: serverId, name, first, may: mayChange, extra: timeZone = '' }: SubjectViewProps<CronAnswer, string>) {
  const read = useOperation('cron.list', { serverId }, { first, everyMs: 30_000 })
  const foreign = useForeign()
  const { data } = read
  const { hidden, removal, remove, saved, refetch } = useCronJobs(serverId)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [deleting, setDeleting] = useState<CronJob | null>(null)
  const rows = useMemo(() => cronRows((data?.cronjobs ?? []).filter(({ line }) => !hidden.has(line))), [data, hidden])
  const collection = useCollection(cronCollection, rows)
  const columns = useMemo(() => cronColumns(timeZone), [timeZone])
  const add = () => setEditing({ begunAs: null, replaces: null })
  const close = () => {
    setEditing(null)
    setDeleting(null)
    // Opened from a menu that is gone now, so the focus returns to that menu's button, if its row still exists.
    const from = editing?.begunAs ?? deleting
    requestAnimationFrame(() => document.getElementById(from ? menuIdOf(from) : 'add-cron-job')?.focus())
  }
  const menu = cronMenu({
    onEdit: (job) => setEditing({ begunAs: job, replaces: job }),
    onDuplicate: (job) => setEditing({ begunAs: job, replaces: null }),
    onDelete: (job) => {
      if (!canBeSaved(job)) return setDeleting(job)
      void remove(job)
      close()
    },
  })
  const removeSelected: RemoveEach<CronRow> = {
    may: mayChange,
    refetch,
    nameOf: ({ job }) => job.command,
    each: ({ job }) => removal(job),
    description: (selected) => (
      <Restorable
        count={selected.length}
        lost={selected.filter(({ job }) => !canBeSaved(job)).length}
        reason="the command has input lines or contains unprintable characters"
      />
    ),
  }
  const addButton = mayChange ? (
    <Button id="add-cron-job" variant="primary" onClick={add} disabled={data === null}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add job
    </Button>
  ) : null
  return (
    <>
      <Collection
        collection={collection}
        columns={columns}
        read={read}
        nothingRead={`The crontabs of ${name} could not be read.`}
        title="Cron jobs"
        aside={rows.length > 0 ? addButton : undefined}
        before={<PartialNotice users={data?.partial ?? []} />}
        after={
          <p className="text-small text-muted">
            Times are in {formatZone(timeZone)}.
            {foreign ? '' : ' These are the crontabs of the server’s users. Jobs of packages in /etc/cron.d are not listed.'}
          </p>
        }
        empty={<NoJobs action={addButton} />}
        {...(mayChange && { menu, remove: removeSelected })}
      />
      {editing ? (
        <CronJobDialog
          serverId={serverId}
          editing={editing}
          jobs={data?.cronjobs ?? []}
          siteUsers={data?.site_users ?? []}
          timeZone={timeZone}
          onClose={close}
          refetch={refetch}
          onSaved={(undo) => {
            close()
            saved(editing.replaces ? 'The job was changed.' : 'The job was saved.', undo)
          }}
        />
      ) : null}
      {deleting ? (
        <DeleteForGood
          job={deleting}
          onClose={close}
          onDelete={() => {
            close()
            void remove(deleting)
          }}
        />
      ) : null}
    </>
  )
}

function NoJobs({ action }: { action: ReactNode }) {
  return (
    <Card>
      <EmptyState title="No cron jobs yet" actions={action}>
        <p>A cron job runs a command on a schedule, such as a report every Monday.</p>
        <p>
          <code className="font-mono text-code">30 4 * * * /usr/local/bin/backup</code>
        </p>
      </EmptyState>
    </Card>
  )
}
