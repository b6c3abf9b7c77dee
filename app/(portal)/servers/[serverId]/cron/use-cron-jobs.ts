'use client'

import { useState } from 'react'
import { useDeeds } from '../../../../_shared/use-deeds'
import { toast } from '../../../../_ui/toast'
import { offerUndo } from '../../../../_ui/undo-toast'
import { deleteCronJob, replaceCronJob, saveCronJob } from './actions'
import { type CronAnswer, type CronJob, type JobFields, oldFields, sameJob } from './job'

/** What can be done with the jobs of a server; after each the list is read anew, whatever came of it. */
export function useCronJobs(serverId: string) {
  const { send, reread, newest } = useDeeds<CronAnswer>('cron.list', serverId)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  /** As the newest list has it: it got another line when it was saved. */
  const findSaved = (job: JobFields): CronJob | undefined => newest()?.cronjobs.find((candidate) => sameJob(candidate, job))

  async function remove(job: CronJob, restorable: boolean): Promise<void> {
    setHidden((before) => new Set([...before, job.line]))
    const done = await send(deleteCronJob, job)
    setHidden((before) => new Set([...before].filter((line) => line !== job.line)))
    if (!done) return
    if (!restorable) return void toast('The job was deleted.')
    offerUndo('The job was deleted.', () => {
      void send(saveCronJob, fieldsOf(job)).then((restored) => restored && toast('The job is back.'))
    })
  }

  /** The opposite of saving a job is deleting it, as it stands in the list by then. */
  function saved(job: JobFields): void {
    void reread()
    offerUndo('The job was saved.', () => {
      const found = findSaved(job)
      if (!found) return void toast.error('The job is no longer there as it was saved.')
      void send(deleteCronJob, found).then((done) => done && toast('The job was taken out again.'))
    })
  }

  /** One step back for two: the old job returns and the new one goes. */
  function replaced(old: CronJob, job: JobFields): void {
    void reread()
    offerUndo('The job was changed.', () => {
      const found = findSaved(job)
      if (!found) return void toast.error('The job is no longer there as it was saved.')
      void send(replaceCronJob, { ...fieldsOf(old), ...oldFields(found) }).then((done) => done && toast('The job is as it was before.'))
    })
  }

  return { hidden, remove, saved, replaced }
}

const fieldsOf = ({ line: _, ...fields }: CronJob): JobFields => fields
