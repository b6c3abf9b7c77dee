'use client'

import { clsx } from 'clsx'
import { Check, Pencil, X } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState, useTransition } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { Input } from '../../_ui/input'
import { offerUndo } from '../../_ui/undo-toast'
import { type Action, type AnyActionResult, type CallOptions, callAction, formatRefusal } from './call-action'

type EditInPlaceProps = CallOptions<AnyActionResult> & {
  action: Action<AnyActionResult>
  target: Readonly<Record<string, string>>
  field: string
  /** Its name in lower case: "name". */
  label: string
  value: string
  /** Undefined if it may be empty. */
  required?: true
  maxLength: number
  show: (value: string) => ReactNode
  inputClass?: string
}

/** A value with a pencil. Enter saves, Escape cancels; a refused value stays in the field with the reason below it. */
export function EditInPlace({ label, required, maxLength, show, inputClass, ...edited }: EditInPlaceProps) {
  const { field } = edited
  const pencil = useRef<HTMLButtonElement>(null)
  const edit = useEdit({
    ...edited,
    onSaved: (before) => offerUndo(`The ${label} was changed.`, () => latest.current.submit(before)),
  })
  // Undo may be clicked later, when another text is shown than now.
  const latest = useRef(edit)
  latest.current = edit
  useFocusBack(pencil, edit.draft !== null)
  if (edit.draft !== null)
    return (
      <Editor edit={edit} field={field} label={label} required={required} maxLength={maxLength} inputClass={inputClass} text={edit.draft} />
    )
  return (
    <div className="flex min-w-0 items-center gap-x-1">
      <div className={clsx('min-w-0', edit.saving && 'opacity-60')}>{show(edit.shown)}</div>
      {/* Never disabled, because a disabled button cannot hold the focus. */}
      <Button
        ref={pencil}
        variant="ghost"
        icon
        aria-label={`Edit ${label}`}
        aria-disabled={edit.saving || undefined}
        onClick={edit.saving ? undefined : edit.open}
        className="-my-1.5"
      >
        <Pencil aria-hidden size={16} strokeWidth={1.5} />
      </Button>
      <span role="status" className="shrink-0 text-small text-muted">
        {edit.saving ? 'Saving…' : ''}
      </span>
    </div>
  )
}

type EditorProps = Pick<EditInPlaceProps, 'field' | 'label' | 'maxLength'> & {
  edit: Edit
  text: string
  required: true | undefined
  inputClass: string | undefined
}

function Editor({ edit, text, field, label, required, maxLength, inputClass }: EditorProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.select(), [])
  const { refusal } = edit
  const missing = required && text.trim() === ''
  const why = refusal ? (refusal.fields?.[field] ?? formatRefusal(refusal)) : null
  return (
    <form
      className="min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (!missing) edit.submit(text)
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        edit.cancel()
      }}
    >
      <div className="flex items-center gap-1">
        <Input
          ref={box}
          aria-label={`New ${label}`}
          aria-invalid={why ? true : undefined}
          aria-describedby={why ? id : undefined}
          autoComplete="off"
          maxLength={maxLength}
          value={text}
          onChange={(event) => edit.change(event.target.value)}
          className={clsx('min-w-0 max-w-[480px]', inputClass)}
        />
        <Button type="submit" variant="ghost" icon aria-label={`Save ${label}`} disabled={missing}>
          <Check aria-hidden size={16} strokeWidth={1.5} />
        </Button>
        <Button variant="ghost" icon aria-label="Cancel" onClick={edit.cancel}>
          <X aria-hidden size={16} strokeWidth={1.5} />
        </Button>
      </div>
      {why ? (
        <p id={id} role="alert" className="mt-1 text-small text-danger">
          {why}
        </p>
      ) : null}
      {refusal?.code === 'changed_meanwhile' && refusal.fields?.[field] ? (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button variant="warn-solid" onClick={() => edit.overwrite(text)}>
            Overwrite
          </Button>
          <Button onClick={edit.keepTheirs}>Keep theirs</Button>
        </div>
      ) : null}
    </form>
  )
}

/** After editing, the focus returns to where it came from. */
function useFocusBack(pencil: { current: HTMLButtonElement | null }, editing: boolean): void {
  const edited = useRef(false)
  useEffect(() => {
    if (edited.current && !editing) pencil.current?.focus()
    edited.current = editing
  }, [editing, pencil])
}

type Edit = {
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
function useEdit({ action, target, field, value, onSaved, ...options }: EditOptions): Edit {
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
