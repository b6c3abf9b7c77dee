'use client'

import { type ReactNode, useState } from 'react'
import type { Answered, FormAction } from '../../../_shared/call-action'
import { ConfirmDestroy } from '../../../_shared/confirm-destroy'
import { Button } from '../../../_ui/button'
import { toast } from '../../../_ui/toast'
import type { Picked } from './use-picked'

type DeletePickedProps<Result extends Answered> = {
  serverId: string
  picked: Picked
  /** What they are, one and several: "message", "messages". */
  words: readonly [one: string, several: string]
  /** Said before the names in the dialog. */
  says: ReactNode
  /** Of what is ticked, in the order of the list. */
  names: readonly string[]
  /** Added to the bar, such as how many of them are out of sight. */
  note?: ReactNode
  mayDelete: boolean
  action: FormAction<Result>
  /** Asked for whenever something may have been deleted. */
  reread: () => void
}

const mostNames = 8

/** What can be done with all that is ticked. It floats, so that it is there wherever one has scrolled to. */
export function DeletePicked<Result extends Answered>(props: DeletePickedProps<Result>) {
  const { serverId, picked, words, says, names, note, mayDelete, action, reread } = props
  const [deleting, setDeleting] = useState(false)
  const count = picked.ids.length
  const things = sayCount(count, words)
  if (count === 0) return null
  const refusal = mayDelete ? undefined : 'Your role does not allow deleting.'
  return (
    <section
      aria-label={`Selected ${words[1]}`}
      className="sticky bottom-4 z-10 flex animate-rise flex-wrap items-center gap-2 rounded-sheet border border-line bg-surface px-4 py-2.5 shadow-float max-tablet:bottom-24"
    >
      <p role="status" className="mr-auto font-semibold">
        {things} selected {note}
      </p>
      <Button look="ghost" onClick={picked.clear}>
        Clear
      </Button>
      <Button
        look="danger"
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setDeleting(true) : toast(refusal))}
      >
        Delete {things}
      </Button>
      <ConfirmDestroy
        open={deleting}
        onOpenChange={(open) => {
          setDeleting(open)
          if (!open) reread()
        }}
        title={`Delete ${things}`}
        says={
          <>
            {says}
            <Names names={names} />
          </>
        }
        name={String(count)}
        action={action}
        target={{ serverId, ids: JSON.stringify(picked.ids) }}
        onDone={() => {
          setDeleting(false)
          picked.clear()
          reread()
          toast(count === 1 ? `The ${words[0]} was deleted.` : `${things} were deleted.`)
        }}
      />
    </section>
  )
}

export const sayCount = (count: number, [one, several]: readonly [string, string]): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : several}`

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - mostNames
  return (
    <ul className="mt-2 flex flex-col gap-0.5 rounded-control bg-sunken px-2.5 py-2 font-mono text-code text-ink">
      {withKeys(names.slice(0, mostNames)).map(({ key, name }) => (
        <li key={key} className="wrap-anywhere">
          {name}
        </li>
      ))}
      {more > 0 ? <li className="font-sans text-small text-muted">and {more.toLocaleString('en-GB')} more</li> : null}
    </ul>
  )
}

/** Several may be called the same. */
const withKeys = (names: readonly string[]) => names.map((name, place) => ({ key: `${place} ${name}`, name }))
