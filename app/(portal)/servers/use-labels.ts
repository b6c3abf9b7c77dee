'use client'

import { useCallback, useTransition } from 'react'
import { useSWRConfig } from 'swr'
import { resumable } from '../../_shared/session/sign-in-asked'
import { countOf } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { changeServerLabels } from './actions'

export type LabelChange = 'add' | 'remove'

const opposite = { add: 'remove', remove: 'add' } as const

const sayDone = (change: LabelChange, label: string, changed: number): string => {
  const servers = countOf(changed, 'server')
  return change === 'add' ? `Labelled ${servers} “${label}”.` : `Took the label “${label}” off ${servers}.`
}

/** Puts a label on servers or takes it off, at once and with a way back. Resolves with a refusal to show, or null. */
export function useLabels(onDone?: () => void): {
  pending: boolean
  change: (ids: readonly string[], change: LabelChange, label: string) => Promise<string | null>
} {
  const { mutate } = useSWRConfig()
  const [pending, startTransition] = useTransition()
  const send = useCallback(
    async (ids: readonly string[], change: LabelChange, label: string, undoable: boolean): Promise<string | null> => {
      const form = new FormData()
      form.set('ids', ids.join(' '))
      form.set('change', change)
      form.set('label', label)
      const answer = await resumable(changeServerLabels)(null, form)
      if (!answer.ok) return answer.problem.fields?.label ?? answer.problem.sentence
      void mutate('/api/servers')
      onDone?.()
      const { changed, label: kept } = answer.data
      // Only where it changed every one of them does the opposite bring back what was.
      const undo = {
        label: 'Undo',
        onClick: () => void send(ids, opposite[change], kept, false).then((refusal) => refusal && toast.error(refusal)),
      }
      toast(sayDone(change, kept, changed), undoable && changed === ids.length ? { action: undo } : {})
      return null
    },
    [mutate, onDone],
  )
  const change = (ids: readonly string[], how: LabelChange, label: string) =>
    new Promise<string | null>((resolve) =>
      startTransition(async () =>
        resolve(
          await send(ids, how, label, true).catch(() => 'The portal cannot be reached. Nothing was changed, or it was not answered.'),
        ),
      ),
    )
  return { pending, change }
}
