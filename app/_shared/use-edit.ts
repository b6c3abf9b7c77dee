'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { type Action, type AnyActionResult, type CallOptions, callAction } from './call-action'

export type Edit = {
  /** The value, or what was just sent and not refused. */
  shown: string
  /** The text being edited; null while nothing is. */
  draft: string | null
  saving: boolean
  /** Why the text that was sent last was refused. */
  refusal: Problem | null
  open: () => void
  change: (text: string) => void
  cancel: () => void
  submit: (text: string) => void
}

type EditOptions = CallOptions<AnyActionResult> & {
  action: Action<AnyActionResult>
  /** What the edited value belongs to: hidden fields. */
  target: Readonly<Record<string, string>>
  /** The field's name in the action's form. */
  field: string
  /** The value the page was rendered with. */
  value: string
  onSaved: (before: string) => void
}

/**
 * One value edited in place. What is sent is shown immediately and returns to the editor if it is refused; once it is accepted the
 * page is refreshed, and shows the stored value.
 */
export function useEdit({ action, target, field, value, onSaved, ...options }: EditOptions): Edit {
  const router = useRouter()
  const [draft, setDraft] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const [answer, setAnswer] = useState<AnyActionResult | null>(null)
  const [refreshing, startRefresh] = useTransition()
  const shown = sent ?? value
  const close = () => {
    setDraft(null)
    setAnswer(null)
  }

  async function save(after: string): Promise<void> {
    setSent(after)
    const said = await callAction(action, { ...target, [field]: after }, options)
    // One transition: the sent value is shown until the refreshed page replaces it.
    startRefresh(() => {
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
    saving: sent !== null || refreshing,
    refusal: answer && !answer.ok ? answer.problem : null,
    open: () => setDraft(shown),
    change: setDraft,
    cancel: close,
    submit: (text) => {
      const after = text.trim()
      close()
      if (after !== shown) void save(after)
    },
  }
}
