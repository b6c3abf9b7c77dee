'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { BatchMode } from '@/lib/portal/batches/view'
import { Button } from '../../_ui/button'
import { countOf } from '../../_ui/count'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { ActionForm } from '../forms/action-form'
import { portalRead } from '../reads/read-address'
import { StepUpField } from '../session/step-up-field'
import { startBatch } from './actions'
import { modeChoices } from './batch-summary'

type BatchDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The id of an operation that runs as a batch. */
  operation: string
  /** With % in place of "5 sites". */
  title: string
  noun: 'site' | 'server'
  /** What happens, besides. */
  description?: string
  /** The number has to be typed: for what cannot be undone. */
  confirms?: boolean
  /** The request fields of all targets. */
  fields?: Readonly<Record<string, string>>
  /** The form fields that fill `fields`. */
  children?: ReactNode
  /** The targets, in the order in which they begin. */
  ids: readonly string[]
}

const atOnceChoices = [1, 2, 4, 8]

/** Starts one operation on several targets, which runs without the page, and opens the page of the batch. */
export function BatchDialog({
  open,
  onOpenChange,
  operation,
  title,
  noun,
  description = '',
  confirms = false,
  fields = {},
  children,
  ids,
}: BatchDialogProps) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const what = title.replace('%', countOf(ids.length, noun))
  const number = String(ids.length)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={what} description={`${description} You can leave the page meanwhile.`.trim()}>
      <ActionForm
        action={startBatch}
        refetch={[portalRead('/api/batches')]}
        onDone={({ batchId }) => router.push(`/jobs/batches/${batchId}`)}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="operation" value={operation} />
            <input type="hidden" name="targets" value={JSON.stringify(ids.map((id) => ({ id, fields })))} />
            {children}
            <Field name="mode" label="If one fails">
              {(control) => (
                <Select {...control}>
                  {modeChoices(noun).map(([mode, label]) => (
                    <option key={mode} value={mode satisfies BatchMode}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field name="atOnce" label="Servers at a time" hint={noun === 'site' ? 'A server works on one site at a time.' : null}>
              {(control) => (
                <Select {...control} defaultValue="4">
                  {atOnceChoices.map((count) => (
                    <option key={count}>{count}</option>
                  ))}
                </Select>
              )}
            </Field>
            {confirms ? (
              <>
                <Field name="confirmName" label={`Type ${number} to confirm`}>
                  {(control) => (
                    <Input {...control} code required autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
                  )}
                </Field>
                <StepUpField />
              </>
            ) : null}
            <DialogActions>
              <Button onClick={() => onOpenChange(false)}>Cancel</Button>
              <Button
                type="submit"
                variant={confirms ? 'danger-solid' : 'primary'}
                disabled={pending || (confirms && typed.trim() !== number)}
              >
                {pending ? 'Starting…' : what}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
