'use client'

import { useSWRConfig } from 'swr'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { toast } from '../_ui/toast'
import { type Answered, type FormAction, sayRefusal } from './action-form'
import { freshId } from './use-request-id'

type Lost = { ok: false; problem: Problem }

const lost = problem('outcome_unknown', { sentence: 'The portal could not be reached, so this may not be done. Look at the list again.' })

export type Deed = (previous: null, form: FormData) => Promise<Outcome<unknown>>

/** Makes of an action one after which a list is read anew, whatever came of it: there one sees what nobody else knows. */
export type Settling = <Result extends Answered>(action: FormAction<Result>) => FormAction<Result | Lost>

/** A form of text fields. */
function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/**
 * What is done to what a read operation tells of a server: by a form (`settling`) or at once (`send`, true when it was done;
 * otherwise it says why not). After each the list is read anew. One whose answer never came is an outcome that is not known.
 */
export function useDeeds<Answer>(operationId: string, serverId: string) {
  const { mutate, cache } = useSWRConfig()
  const address = `/api/operations/${operationId}?server=${encodeURIComponent(serverId)}`
  const reread = () => mutate(address)

  async function send(deed: Deed, fields: Readonly<Record<string, string>>): Promise<boolean> {
    const form = formOf({ ...fields, serverId, requestId: freshId() })
    const answer = await deed(null, form).catch((): Lost => ({ ok: false, problem: lost }))
    if (!answer.ok) toast.error(Object.values(answer.problem.fields ?? {})[0] ?? sayRefusal(answer.problem))
    await reread()
    return answer.ok
  }

  const settling: Settling = (action) => async (_previous, form) => {
    const answer = await action(null, form).catch((): Lost => ({ ok: false, problem: lost }))
    await reread()
    return answer
  }

  /** What the newest read found. */
  const newest = (): Answer | undefined => (cache.get(address) as { data?: { data: Answer } } | undefined)?.data?.data

  return { send, settling, reread, newest }
}
