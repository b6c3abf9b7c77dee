'use client'

import { clsx } from 'clsx'
import { Check, Pencil, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from '../../_ui/button'
import { Input } from '../../_ui/input'
import { offerUndo } from '../../_ui/undo-toast'
import { type Action, type AnyActionResult, type CallOptions, formatRefusal } from './call-action'
import { type Edit, useEdit } from './use-edit'

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
