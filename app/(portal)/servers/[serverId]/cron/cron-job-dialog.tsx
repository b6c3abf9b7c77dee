'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ActionForm } from '@/app/_shared/forms/action-form'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input, TextArea } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { canBeSaved, readLine } from '@/lib/crontab/line'
import { timesRefusals } from '@/lib/crontab/schedule'
import type { Times } from '@/lib/crontab/times'
import { toReadableDomain } from '@/lib/text/idn'
import { replaceCronJob, saveCronJob } from '../actions'
import {
  type Account,
  accountsFor,
  type CronAnswer,
  type CronJob,
  type Editing,
  formatWhen,
  formatZone,
  type JobFields,
  oldFields,
  runsOf,
  sameJob,
} from './jobs'
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

/** How many runs are shown. */
const runsShown = 5

/** The schedule in words, with its next runs. */
function SchedulePreview({ times, timeZone }: { times: Times; timeZone: string }) {
  const now = useNow(60_000)
  const [fault] = Object.values(timesRefusals(times))
  const { sentence, note, schedule } = formatWhen(times)
  const runs = schedule && now !== null ? runsOf(schedule, timeZone, now, runsShown) : []
  return (
    <div className="rounded-control bg-sunken px-3 py-2.5 text-small">
      <p role="status" className="font-semibold">
        {fault ?? sentence}
      </p>
      {fault || !note ? null : <p className="text-warn">{note}</p>}
      {fault || !schedule || now === null ? null : runs.length === 0 ? (
        <p className="text-warn">This date does not exist, so the job would never run.</p>
      ) : (
        <>
          <p className="pt-1.5 text-muted">Next runs, {formatZone(timeZone)}:</p>
          <ol className="grid grid-cols-2 gap-x-4">
            {runs.map((run) => (
              <li key={run}>{run}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

/** A whole crontab line, parsed into the fields below as soon as it is valid. */
function PasteLine({ onRead }: { onRead: (job: Partial<JobFields>) => void }) {
  const [text, setText] = useState('')
  const job = readLine(text.trim())
  const hint =
    text.trim() === ''
      ? 'Fills in the fields below.'
      : job === null
        ? 'Not a complete cron line yet: enter five time fields and a command.'
        : canBeSaved(job)
          ? 'Copied into the fields below.'
          : 'In a crontab, a % without a backslash starts the command’s input. Here it becomes part of the command, so check it.'
  return (
    <Field name="pasted" label="Paste a cron line" optional hint={<span role="status">{hint}</span>}>
      {(control) => (
        <Input
          {...control}
          code
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="30 4 * * * /usr/local/bin/backup"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            const read = readLine(event.target.value.trim())
            if (read) onRead({ ...read, command: read.command.replaceAll('\n', '%') })
          }}
        />
      )}
    </Field>
  )
}

type JobFieldProps = { value: string; onChange: (value: string) => void }

/** The command. Enter submits the form, because a command has only one line. */
function CommandField({ value, onChange }: JobFieldProps) {
  return (
    <Field name="command" label="Command" hint={useForeign() ? 'One line.' : 'One line, run by the user’s shell. % is escaped for you.'}>
      {(control) => (
        <TextArea
          {...control}
          required
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      )}
    </Field>
  )
}

/** Whose crontab it goes into. `known`: as suggestions. */
function AccountField({ value, onChange, known }: JobFieldProps & { known: readonly Account[] }) {
  return (
    <Field name="user" label="User" hint="The system user that runs it.">
      {(control) => (
        <>
          <Input
            {...control}
            code
            required
            list={`${control.id}-known`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${control.id}-known`}>
            {known.map(({ user, domain }) => (
              <option key={user} value={user} label={domain === '' ? user : `${user} (${toReadableDomain(domain)})`} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
