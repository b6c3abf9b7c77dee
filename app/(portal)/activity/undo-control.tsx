'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useTransition } from 'react'
import type { UndoMark } from '@/lib/portal/subjects/undo/offers'
import { useAction } from '../../_shared/forms/action-form'
import { StepUpDialog, waysIn } from '../../_shared/session/step-up-field'
import { undoChange } from '../../_shared/undo/actions'
import { toast } from '../../_ui/toast'

type UndoControlProps = {
  undo: UndoMark['undo']
  /** Which change it is, for screen readers. */
  name: string
  /** Shown in its place once it was undone. */
  children: ReactNode
}

/** Undoes the change of a row. Reports the result, with a link to the page that shows it. */
export function UndoControl({ undo, name, children }: UndoControlProps) {
  const { answer: newest, pending, send } = useAction(undoChange, { toEnd: true })
  const [refreshing, startRefresh] = useTransition()
  const busy = pending || refreshing
  const router = useRouter()
  const place = useRef<HTMLSpanElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    // The button is gone, so the focus moves to the element that replaced it.
    if (pressed.current && undo === null) place.current?.focus()
  }, [undo])

  async function press({ id, page }: NonNullable<UndoMark['undo']>, proof: Readonly<Record<string, string>> = {}): Promise<void> {
    pressed.current = true
    const answer = await send({ undoId: id, ...proof })
    if (!answer || (!answer.ok && waysIn(answer.problem.fields).length > 0)) return
    const show = { action: { label: page.label, onClick: () => router.push(page.href) } }
    if (answer.ok) toast(answer.data.message, { ...show, duration: 10_000 })
    else toast.error(answer.problem.sentence, show)
    startRefresh(() => router.refresh())
  }

  return (
    <span ref={place} tabIndex={-1} className="text-small text-muted outline-none">
      {undo ? (
        <>
          <button
            type="button"
            onClick={() => void press(undo)}
            disabled={busy}
            aria-label={`Undo: ${name}`}
            title={undo.description}
            className="-my-1 inline-flex min-h-8 items-center rounded-control pr-2 font-semibold text-accent hover:text-accent-hover disabled:text-muted touch:min-h-10"
          >
            {busy ? 'Undoing…' : 'Undo'}
          </button>
          <StepUpDialog
            answer={newest}
            refused={newest && !newest.ok ? newest.problem.fields : undefined}
            label="Undo"
            pending={pending}
            onProof={(proof) => void press(undo, proof)}
          />
          {undo.plain ? null : <span className="block pt-1">{undo.description}</span>}
        </>
      ) : (
        children
      )}
    </span>
  )
}
