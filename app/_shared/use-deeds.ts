'use client'

import { useSWRConfig } from 'swr'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { toast } from '../_ui/toast'
import { offerUndo } from '../_ui/undo-toast'
import { type Answered, type FormAction, sayRefusal } from './action-form'
import { resumable } from './session/sign-in-asked'
import { undoChange } from './undo/actions'
import { freshId } from './use-request-id'

type Lost = { ok: false; problem: Problem }

const lost = problem('outcome_unknown', { sentence: 'The portal could not be reached, so this may not be done. Look at the list again.' })

export type Deed<Data> = (previous: null, form: FormData) => Promise<Outcome<Data>>

/** Makes of an action one after which a list is read anew, whatever came of it: there one sees what nobody else knows. */
export type Settling = <Result extends Answered>(action: FormAction<Result>) => FormAction<Result | Lost>

/** A form of text fields. */
function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/**
 * What is done to what a read operation tells of a server: by a form (`settling`) or at once (`send`, which gives what was
 * answered; otherwise it says why not, and gives null). After each the list is read anew. One whose answer never came is an outcome that is not known.
 */
export function useDeeds(operationId: string, serverId: string) {
  const { mutate } = useSWRConfig()
  const address = `/api/operations/${operationId}?server=${encodeURIComponent(serverId)}`
  const reread = () => mutate(address)

  async function send<Data>(deed: Deed<Data>, fields: Readonly<Record<string, string>>): Promise<Data | null> {
    const form = formOf({ ...fields, serverId, requestId: freshId() })
    const answer = await resumable(deed)(null, form).catch((): Lost => ({ ok: false, problem: lost }))
    if (!answer.ok) toast.error(Object.values(answer.problem.fields ?? {})[0] ?? sayRefusal(answer.problem))
    await reread()
    return answer.ok ? answer.data : null
  }

  const settling: Settling = (action) => async (_previous, form) => {
    const answer = await action(null, form).catch((): Lost => ({ ok: false, problem: lost }))
    await reread()
    return answer
  }

  async function takeBack(undoId: string): Promise<void> {
    const done = await send(undoChange, { undoId })
    if (done) toast(done.says)
  }

  /** Says what was done and, where `undo` names what takes it back, offers that. `during` is told while it is at it. */
  function sayDone(says: string, undo: string | null, during = (work: () => Promise<void>) => work()): void {
    if (undo === null) toast(says)
    else offerUndo(says, () => void during(() => takeBack(undo)))
  }

  return { send, settling, sayDone }
}
