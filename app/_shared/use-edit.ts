'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useState, useTransition } from 'react'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Answered } from './action-form'
import { resumable } from './session/sign-in-asked'
import { useRequestId } from './use-request-id'

/** A server action that looks at its form alone. */
export type EditAction = (previous: null, form: FormData) => Promise<Answered>

export type Edit = {
  /** What is there, or what was just sent and not refused. */
  shown: string
  /** The text being edited; null while nothing is. */
  draft: string | null
  saving: boolean
  /** Why the text that was sent last was not taken. */
  refusal: Problem | null
  open: () => void
  change: (text: string) => void
  cancel: () => void
  submit: (text: string) => void
}

type EditOptions = {
  action: EditAction
  /** What the edited value belongs to: hidden fields. */
  target: Readonly<Record<string, string>>
  /** The field's name in the action's form. */
  field: string
  /** The value as the page was given it. */
  value: string
  onSaved: (before: string) => void
}

const lost = problem('outcome_unknown', { sentence: 'The portal could not be reached, so this may not be saved. Try again.' })

/**
 * One value edited where it stands. What is sent shows at once and goes back into the editor when it is refused; once it is
 * taken the page is read anew, and shows what is really there.
 */
export function useEdit({ action, target, field, value, onSaved }: EditOptions): Edit {
  const router = useRouter()
  const [draft, setDraft] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const [answer, setAnswer] = useState<Answered | null>(null)
  const [saving, startSaving] = useTransition()
  const requestId = useRequestId(answer)
  const shown = sent ?? value
  const close = () => {
    setDraft(null)
    setAnswer(null)
  }

  async function save(after: string): Promise<void> {
    const form = new FormData()
    for (const [name, held] of Object.entries(target)) form.set(name, held)
    form.set(field, after)
    form.set('requestId', requestId())
    const said = await resumable(action)(null, form).catch((): Answered => ({ ok: false, problem: lost }))
    // One transition: what was sent is shown until the page that was read anew takes its place.
    startTransition(() => {
      setAnswer(said)
      setSent(null)
      if (said.ok) {
        onSaved(shown)
        router.refresh()
      } else {
        setDraft(after)
      }
    })
  }

  return {
    shown,
    draft,
    saving,
    refusal: answer && !answer.ok ? answer.problem : null,
    open: () => setDraft(shown),
    change: setDraft,
    cancel: close,
    submit: (text) => {
      const after = text.trim()
      close()
      if (after === shown) return
      setSent(after)
      startSaving(() => save(after))
    },
  }
}
