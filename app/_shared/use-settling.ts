'use client'

import { useSWRConfig } from 'swr'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Answered, FormAction } from './action-form'

type Lost = { ok: false; problem: Problem }

const lost = problem('outcome_unknown', { sentence: 'The portal could not be reached, so this may not be done. Look at the list again.' })

/** Makes of an action one after which a list is read anew, whatever came of it: there one sees what nobody else knows. */
export type Settling = <Result extends Answered>(action: FormAction<Result>) => FormAction<Result | Lost>

/** For actions on what a read operation of a server tells. One whose answer never came is an outcome that is not known. */
export function useSettling(operationId: string, serverId: string): Settling {
  const { mutate } = useSWRConfig()
  const address = `/api/operations/${operationId}?server=${encodeURIComponent(serverId)}`
  return (action) => async (_previous, form) => {
    const answer = await action(null, form).catch((): Lost => ({ ok: false, problem: lost }))
    await mutate(address)
    return answer
  }
}
