'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import type { AnyActionResult } from '../call-action'
import { ConfirmDestroy } from '../confirm-destroy'
import type { CountedAction } from './kind'

type DeleteSelectedProps = {
  noun: string
  ids: readonly string[]
  names: readonly string[]
  /** What is lost, and what stays. */
  description: ReactNode
  may: boolean
  /** Takes `ids` as a JSON list together with `target`; their count has to be typed. */
  action: CountedAction
  target: Readonly<Record<string, string>>
  /** Called whenever something may have been deleted, to refresh the list. */
  onSettled: () => void
  onDeleted: () => void
}

/** Deletes the selected rows once their number has been typed. */
export function DeleteSelected({ noun, ids, names, description, may, action, target, onSettled, onDeleted }: DeleteSelectedProps) {
  const [asking, setAsking] = useState(false)
  const count = ids.length
  const things = countOf(count, noun)
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
        name={String(count)}
        // The dialog exists only with scripts, so there is no earlier answer to pass on.
        action={(_previous: AnyActionResult | null, form: FormData) => action(null, form)}
        target={{ ...target, ids: JSON.stringify(ids) }}
        onDone={() => {
          setAsking(false)
          onDeleted()
          onSettled()
          toast(count === 1 ? `The ${noun} was deleted.` : `${things} were deleted.`)
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
