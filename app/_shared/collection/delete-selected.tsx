'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { type AnyActionResult, type DataOf, type FormAction, formatReason } from '../call-action'
import { ConfirmDestroy } from '../confirm-destroy'
import type { AnyRead } from '../read-address'
import { refetchReads } from '../refetch-reads'
import { makeChanges, showAllDone } from '../undo/several'
import type { Change } from '../undo/undoable'
import type { CountedAction } from './kind'

type DialogProps = {
  noun: string
  /** Of the rows; their count is what has to be typed. */
  names: readonly string[]
  /** What is lost, and what stays. */
  description: ReactNode
  may: boolean
  onDeleted: () => void
}

/** Takes the rows as one JSON list in `target`. onSettled: called whenever something may have been deleted, to read the list again. */
type DeleteTogetherProps = DialogProps & { action: CountedAction; target: Readonly<Record<string, string>>; onSettled: () => void }

/** Deletes the selected rows by one action once their number has been typed. */
export const DeleteTogether = ({ action, target, onSettled, ...dialog }: DeleteTogetherProps) => (
  <DeleteSelected
    {...dialog}
    target={target}
    onSettled={onSettled}
    // The dialog only works with scripts, so there is no earlier answer to pass on.
    action={(_previous: AnyActionResult | null, form: FormData) => action(null, form)}
    onDone={() => toast(formatDeleted(dialog.names.length, dialog.noun))}
  />
)

/** changes: those that delete the rows, in the order of the list. */
type DeleteEachProps = DialogProps & { changes: readonly Change[]; refetch: readonly AnyRead[] }

/** Deletes the selected rows one by one, and offers one Undo for all of them. */
export function DeleteEach({ changes, refetch, ...dialog }: DeleteEachProps) {
  const { noun } = dialog
  const [deleted, setDeleted] = useState(0)
  return (
    <DeleteSelected
      {...dialog}
      action={() => {
        setDeleted(0)
        return makeChanges(changes, setDeleted)
      }}
      pendingLabel={`${formatCount(deleted)} of ${countOf(changes.length, noun)} deleted…`}
      onSettled={() => void refetchReads(refetch)}
      onDone={({ made, undos, stopped }) => {
        showAllDone(formatDeleted(made, noun), undos, { noun, refetch })
        if (stopped) toast.error(`${countOf(changes.length - made, noun)} could not be deleted: ${formatReason(stopped)}`)
      }}
    />
  )
}

const formatDeleted = (count: number, noun: string): string =>
  count === 1 ? `The ${noun} was deleted.` : `${countOf(count, noun)} were deleted.`

type DeleteSelectedProps<Result extends AnyActionResult> = DialogProps & {
  action: FormAction<Result>
  target?: Readonly<Record<string, string>>
  pendingLabel?: string
  onSettled: () => void
  /** Reports the outcome. */
  onDone: (data: DataOf<Result>) => void
}

function DeleteSelected<Result extends AnyActionResult>(props: DeleteSelectedProps<Result>) {
  const { noun, names, description, may, action, target = {}, pendingLabel, onSettled, onDone, onDeleted } = props
  const [asking, setAsking] = useState(false)
  const things = countOf(names.length, noun)
  const refusal = may ? undefined : 'Your role does not allow deleting.'
  return (
    <>
      <Button
        variant="danger"
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        Delete {things}
      </Button>
      <ConfirmDestroy
        open={asking}
        onOpenChange={(open) => {
          setAsking(open)
          if (!open) onSettled()
        }}
        title={`Delete ${things}`}
        description={
          <>
            {description}
            <Names names={names} />
          </>
        }
        name={String(names.length)}
        action={action}
        target={target}
        {...(pendingLabel !== undefined && { pendingLabel })}
        onDone={(data) => {
          setAsking(false)
          onDeleted()
          onSettled()
          onDone(data)
        }}
      />
    </>
  )
}

const maxNames = 8

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - maxNames
  return (
    <ul className="mt-2 flex flex-col gap-0.5 rounded-control bg-sunken px-2.5 py-2 font-mono text-code text-ink">
      {withKeys(names.slice(0, maxNames)).map(({ key, name }) => (
        <li key={key} className="wrap-anywhere">
          {name}
        </li>
      ))}
      {more > 0 ? <li className="font-sans text-small text-muted">and {formatCount(more)} more</li> : null}
    </ul>
  )
}

/** Several may have the same name. */
const withKeys = (names: readonly string[]) => names.map((name, place) => ({ key: `${place} ${name}`, name }))
