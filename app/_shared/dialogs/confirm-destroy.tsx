'use client'

import { type ReactNode, useState } from 'react'
import { isTypedName, showBidiControls } from '@/lib/text/bidi'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { ActingNote } from '../connections/acting-connection'
import { ActionForm } from '../forms/action-form'
import type { AnyActionResult, CallOptions, DataOf, FormAction } from '../forms/call-action'

type ConfirmDestroyProps<Result extends AnyActionResult> = CallOptions<Result> & {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Verb and object, for the title and the button: "Delete server". */
  title: string
  /** What will be lost, and what stays. */
  description: ReactNode
  /** The text to type. */
  name: string
  action: FormAction<Result>
  /** Hidden fields: the target. */
  target: Readonly<Record<string, string>>
  onDone: (data: DataOf<Result>) => void
  /** Label of the button while the action runs. */
  pendingLabel?: string
  /** Further fields, above the name. */
  children?: ReactNode
}

/** No irreversible action runs before its name was typed. */
export function ConfirmDestroy<Result extends AnyActionResult>({
  open,
  onOpenChange,
  title,
  description,
  name,
  action,
  target,
  onDone,
  pendingLabel = 'Working…',
  children,
  ...options
}: ConfirmDestroyProps<Result>) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setTyped('')
        onOpenChange(next)
      }}
      title={title}
      description={description}
      // What stands above it is optional.
      firstField="confirmName"
    >
      <ActingNote />
      <ActionForm action={action} {...options} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            {Object.entries(target).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            {children}
            <Field name="confirmName" label={`Type ${showBidiControls(name)} to confirm`}>
              {(control) => (
                <Input
                  {...control}
                  code
                  required
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
            <DialogActions>
              <Button onClick={() => onOpenChange(false)}>Cancel</Button>
              <Button type="submit" variant="danger-solid" disabled={!isTypedName(typed, name) || pending}>
                {pending ? pendingLabel : title}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type ConfirmSwitchOffProps = { title: string; description: ReactNode; onClose: () => void; onSwitchOff: () => void }

/** Explains the effect and asks once, without typing: one click turns it on again. */
export const ConfirmSwitchOff = ({ title, description, onClose, onSwitchOff }: ConfirmSwitchOffProps) => (
  <Dialog open onOpenChange={onClose} title={title} description={description}>
    <div className="mt-6">
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="warn-solid" onClick={onSwitchOff}>
          Turn off
        </Button>
      </DialogActions>
    </div>
  </Dialog>
)
