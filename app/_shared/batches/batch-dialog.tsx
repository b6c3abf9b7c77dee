'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { BatchMode } from '@/lib/portal/batches/view'
import { Button } from '../../_ui/button'
import { countOf } from '../../_ui/count'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'
import { ActionForm } from '../action-form'
import { portalRead } from '../read-address'
import { startBatch } from './actions'
import { modeChoices } from './batch-words'

type BatchDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The id of an operation that runs as a batch. */
  operation: string
  /** "Back up" */
  verb: string
  noun: 'site' | 'server'
  /** The targets, in the order in which they begin. */
  ids: readonly string[]
  children?: ReactNode
}

const atOnceChoices = [1, 2, 4, 8]

/** Starts one operation on several targets, which goes on without the page, and leads to its own page. */
export function BatchDialog({ open, onOpenChange, operation, verb, noun, ids, children }: BatchDialogProps) {
  const router = useRouter()
  const what = `${verb} ${countOf(ids.length, noun)}`
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={what}
      description="Gatehouse does this one after another on each server. You can leave the page meanwhile."
    >
      <ActionForm
        action={startBatch}
        refetch={[portalRead('/api/batches')]}
        onDone={({ batchId }) => router.push(`/jobs/batches/${batchId}`)}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="operation" value={operation} />
            <input type="hidden" name="targets" value={JSON.stringify(ids)} />
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
            <Field name="atOnce" label="Servers at a time" hint="Each server works on one at a time.">
              {(control) => (
                <Select {...control} defaultValue="4">
                  {atOnceChoices.map((count) => (
                    <option key={count}>{count}</option>
                  ))}
                </Select>
              )}
            </Field>
            <DialogActions>
              <Button onClick={() => onOpenChange(false)}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending}>
                {pending ? 'Starting…' : what}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
