'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { RemoveEach } from '@/app/_shared/collection/kind'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { Restorable } from '@/app/_shared/collection/use-removal'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { type Change, callUndoable, showDone } from '@/app/_shared/undo/undoable'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import { Notice } from '@/app/_ui/notice'
import { Card } from '@/app/_ui/section'
import { canBeSaved } from '@/lib/crontab/line'
import { deleteCronJob } from '../actions'
import {
  type CronAnswer,
  type CronJob,
  type CronRow,
  cronCollection,
  cronColumns,
  cronMenu,
  cronRows,
  type Editing,
  formatZone,
  menuIdOf,
} from './jobs'

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

/** Names the system users of whose crontab only the beginning is listed; nothing if all are complete. */
function PartialNotice({ users }: { users: readonly string[] }) {
  if (users.length === 0) return null
  const whose = users.length === 1 ? `The crontab of ${users[0]} is` : `The crontabs of ${users.slice(0, 5).join(', ')} are`
  return (
    <Notice tone="warn" title={`${whose} too large to list completely`}>
      Some jobs are missing from this list. All of them still run. On the server, <code className="font-mono text-code">crontab -l</code>{' '}
      shows them.
    </Notice>
  )
}

/** The actions for a server's cron jobs; each refreshes the list afterwards, whatever the result. */
function useCronJobs(serverId: string) {
  const refetch = [operationRead('cron.list', { serverId })]
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  /** The change that deletes a job. */
  const removal = (job: CronJob): Change => ({ action: deleteCronJob, fields: { ...job, serverId } })

  async function remove(job: CronJob): Promise<void> {
    setHidden((before) => new Set([...before, job.line]))
    const { action, fields } = removal(job)
    await callUndoable(action, fields, { message: 'The job was deleted.', refetch })
    setHidden((before) => new Set([...before].filter((line) => line !== job.line)))
  }

  const saved = (message: string, undo: string | null) => showDone(message, undo, { refetch })

  return { removal, hidden, remove, saved, refetch }
}

type DeleteForGoodProps = { job: CronJob; onClose: () => void; onDelete: () => void }

/** Asks before deleting a job that could not be restored from here. */
function DeleteForGood({ job, onClose, onDelete }: DeleteForGoodProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this job for good?"
      description="Its command has input lines in the crontab, or contains unprintable characters. Gatehouse can delete it, but cannot restore it."
    >
      <pre className="mt-3 mb-6 overflow-x-auto rounded-control bg-sunken p-2.5 font-mono text-code whitespace-pre-wrap break-all">
        {job.command}
      </pre>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger-solid" onClick={onDelete}>
          Delete for good
        </Button>
      </DialogActions>
    </Dialog>
  )
}
