'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState, useTransition } from 'react'
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
  /** Sends it although somebody else changed the value in the meantime. */
  overwrite: (text: string) => void
  /** Drops the text and shows the present value. */
  keepTheirs: () => void
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
  const openedWith = useRef(shown)
  const close = () => {
    setDraft(null)
    setAnswer(null)
  }

  async function save(after: string, opened: string | null): Promise<void> {
    setSent(after)
    const known = opened !== null && { [`opened.${field}`]: opened }
    const said = await callAction(action, { ...target, [field]: after, ...known }, options)
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
    open: () => {
      openedWith.current = shown
      setDraft(shown)
    },
    change: setDraft,
    cancel: close,
    submit: (text) => {
      const after = text.trim()
      // An undo is sent without opening the editor.
      const opened = draft === null ? shown : openedWith.current
      close()
      if (after !== shown) void save(after, opened)
    },
    overwrite: (text) => {
      close()
      void save(text.trim(), null)
    },
    keepTheirs: () => {
      close()
      startRefresh(() => router.refresh())
    },
  }
}
