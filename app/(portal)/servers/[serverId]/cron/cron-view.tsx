'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import { canBeSaved } from '@/lib/crontab/line'
import { ReadTrouble } from '../../../../_shared/read-trouble'
import { useOperation } from '../../../../_shared/use-read'
import { Button } from '../../../../_ui/button'
import { EmptyState } from '../../../../_ui/empty-state'
import { lateComponent } from '../../../../_ui/late'
import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { useForeign } from '../foreign-service'
import { CronTable, menuIdOf } from './cron-table'
import { DeleteForGood } from './delete-for-good'
import type { CronAnswer, CronJob, Editing } from './job'
import { PartialNotice } from './partial-notice'
import { sayZone } from './schedule-words'
import { useCronJobs } from './use-cron-jobs'

const CronJobDialog = lateComponent(() => import('./cron-job-dialog').then((file) => file.CronJobDialog))

type CronViewProps = { serverId: string; name: string; first: Outcome<CronAnswer>; timeZone: string; mayChange: boolean }

export function CronView({ serverId, name, first, timeZone, mayChange }: CronViewProps) {
  const read = useOperation('cron.list', { serverId }, { first, everyMs: 30_000 })
  const foreign = useForeign()
  const { data } = read
  const { hidden, remove, saved, refetch } = useCronJobs(serverId)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [deleting, setDeleting] = useState<CronJob | null>(null)
  const jobs = (data?.cronjobs ?? []).filter(({ line }) => !hidden.has(line))
  const add = () => setEditing({ begunAs: null, replaces: null })
  const close = () => {
    setEditing(null)
    setDeleting(null)
    // Opened from a menu that is gone by now: the keyboard goes on at that menu's button, if its row is still there.
    const from = editing?.begunAs ?? deleting
    requestAnimationFrame(() => document.getElementById(from ? menuIdOf(from) : 'add-cron-job')?.focus())
  }
  const addButton = mayChange ? (
    <Button id="add-cron-job" look="primary" onClick={add} disabled={data === null}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add job
    </Button>
  ) : null
  return (
    <>
      <ReadTrouble read={read} nothingRead={`The crontabs of ${name} could not be read.`} />
      <PartialNotice users={data?.partial ?? []} />
      {data === null ? null : (
        <Section title="Cron jobs" aside={jobs.length > 0 ? addButton : undefined}>
          {jobs.length === 0 ? (
            <NoJobs action={addButton} />
          ) : (
            <CronTable
              jobs={jobs}
              timeZone={timeZone}
              mayChange={mayChange}
              onEdit={(job) => setEditing({ begunAs: job, replaces: job })}
              onDuplicate={(job) => setEditing({ begunAs: job, replaces: null })}
              onDelete={(job) => {
                if (!canBeSaved(job)) return setDeleting(job)
                void remove(job)
                close()
              }}
            />
          )}
          <p className="text-small text-muted">
            Times are those of {sayZone(timeZone)}.
            {foreign ? '' : ' These are the crontabs of the server’s accounts; what its packages keep in /etc/cron.d is not among them.'}
          </p>
        </Section>
      )}
      {editing ? (
        <CronJobDialog
          serverId={serverId}
          editing={editing}
          jobs={data?.cronjobs ?? []}
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
    <Sheet>
      <EmptyState title="No cron jobs yet" actions={action}>
        <p>A cron job runs a command on the server again and again, by itself: a backup each night, a report each Monday.</p>
        <p>
          <code className="font-mono text-code">30 4 * * * /usr/local/bin/backup</code>
        </p>
      </EmptyState>
    </Sheet>
  )
}
