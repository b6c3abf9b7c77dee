'use client'

import { useRouter } from 'next/navigation'
import type { Answered, FormAction } from '../../../_shared/action-form'
import { read } from '../../../_shared/read'

/** Makes of a change to what the list says of a server one after which, where its answer was lost, the list is asked what became of it. */
export function useSettledRow() {
  const router = useRouter()
  return <Result extends Answered>(action: FormAction<Result>): FormAction<Result> =>
    async (previous, form) => {
      const answer = await action(previous, form)
      if (!answer.ok && answer.problem.code === 'outcome_unknown') {
        // Where the list cannot be had either, its own page says so, and the next one tells.
        await read('/api/servers').catch(() => undefined)
        router.refresh()
      }
      return answer
    }
}
