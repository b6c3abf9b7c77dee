'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ActionForm } from '@/app/_shared/forms/action-form'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Notice } from '@/app/_ui/notice'
import { accountsFor } from './accounts'
import { replaceCronJob, saveCronJob } from './actions'
import { type CronAnswer, type CronJob, type Editing, type JobFields, oldFields, sameJob } from './job'
import { AccountField, CommandField } from './job-fields'
import { PasteLine } from './paste-line'
import { SchedulePreview } from './schedule-preview'
import { TimesFields } from './times-fields'

type CronJobDialogProps = {
  serverId: string
  editing: Editing
  /** All jobs, to detect one that exists already. */
  jobs: readonly CronJob[]
  siteUsers: NonNullable<CronAnswer['site_users']>
  timeZone: string
  /** The reads that show it. */
  refetch: readonly AnyRead[]
  onClose: () => void
  /** undo: the id that undoes it. */
  onSaved: (undo: string | null) => void
}

const fresh: JobFields = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', user: 'root', command: '' }

/** The form for one job, with the meaning of its schedule shown while typing. */
export function CronJobDialog({ serverId, editing, jobs, siteUsers, timeZone, refetch, onClose, onSaved }: CronJobDialogProps) {
  const foreign = useForeign()
  const { begunAs, replaces } = editing
  const [job, setJob] = useState<JobFields>(() => begunAs ?? fresh)
  const change = (fields: Partial<JobFields>) => setJob((before) => ({ ...before, ...fields }))
  const same = jobs.find((other) => sameJob(other, job))
  const { data } = useOperation('users.list', { serverId }, { everyMs: 60_000 })
  const accounts = accountsFor({ listed: data?.users ?? [], siteUsers, jobs })
  // Somebody else changed or deleted the job meanwhile, and the user has read so: it can only be saved beside theirs.
  const [conflict, setConflict] = useState(false)
  const replaced = conflict ? null : replaces
  const save = replaced ? replaceCronJob : saveCronJob
  const target = { serverId, ...(replaced && oldFields(replaced)) }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={replaces ? 'Edit cron job' : 'Add cron job'}
      description={
        foreign
          ? replaces
            ? 'The new job is saved, then the old one is deleted.'
            : 'The service saves it on the server.'
          : replaces
            ? 'The new line is added at the end of the user’s crontab, then the old line is deleted. No other line changes.'
            : 'Adds one line to a system user’s crontab. No other line changes.'
      }
    >
      <ActionForm
        action={save}
        refetch={refetch}
        onAnswer={(answer) => setConflict(!answer.ok && answer.problem.code === 'changed_meanwhile')}
        onDone={({ undo }) => onSaved(undo)}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            {Object.entries(target).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            {begunAs ? null : <PasteLine onRead={change} />}
            <TimesFields times={job} onChange={change} />
            <SchedulePreview times={job} timeZone={timeZone} />
            <CommandField value={job.command} onChange={(command) => change({ command })} />
            <AccountField value={job.user} onChange={(user) => change({ user })} known={accounts} />
            {same && same.line !== replaces?.line && !pending ? <Notice tone="info" title="This job already exists." /> : null}
            <DialogActions>
              <Button onClick={onClose}>{conflict ? 'Keep theirs' : 'Cancel'}</Button>
              <Button type="submit" variant="primary" disabled={pending || same !== undefined}>
                {pending ? 'Saving…' : conflict ? 'Save mine as a new job' : replaces ? 'Save job' : 'Add job'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
