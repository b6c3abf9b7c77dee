'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog } from '../../_ui/dialog'
import { Input } from '../../_ui/input'

type SaveViewProps = {
  /** Of the view that is shown; it is replaced unless another name is given. */
  name: string
  /** Resolves with a refusal to show, or null. */
  onSave: (name: string) => Promise<string | null>
  onClose: () => void
}

/** Asks for the name of a view. */
export function SaveView({ name, onSave, onClose }: SaveViewProps) {
  const id = useId()
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const typed = String(new FormData(event.currentTarget).get('name') ?? '')
    setPending(true)
    const refused = await onSave(typed)
    setPending(false)
    if (refused === null) onClose()
    else setRefusal(refused)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? null : onClose())}
      title="Save view"
      description="Keeps this filter, order and these columns for you. To share a view, open it and send its address."
      firstField="name"
    >
      <form onSubmit={submit} className="mt-4 flex flex-col gap-1">
        <label htmlFor={id} className="text-small font-semibold">
          Name
        </label>
        <div className="flex gap-2">
          <Input
            id={id}
            name="name"
            defaultValue={name}
            autoComplete="off"
            maxLength={60}
            required
            aria-invalid={refusal ? true : undefined}
            aria-describedby={refusal ? `${id}-error` : undefined}
            onInput={() => setRefusal(null)}
          />
          <Button type="submit" variant="primary" disabled={pending}>
            Save view
          </Button>
        </div>
        {refusal ? (
          <p id={`${id}-error`} role="alert" className="text-small text-danger">
            {refusal}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
