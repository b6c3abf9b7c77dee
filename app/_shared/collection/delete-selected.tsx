'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { startBatch } from '@/app/_shared/batches/actions'
import { followBatch } from '@/app/_shared/batches/follow-batch'
import { refetchReads } from '@/app/_shared/reads/use-read'
import type { Outcome } from '@/lib/contract/problem'
import type { BatchView } from '@/lib/portal/batches/view'
import { countOf, formatCount } from '../../_ui/count'
import { OfferedButton } from '../../_ui/early-button'
import { toast } from '../../_ui/toast'
import { targetStates } from '../batches/batch-summary'
import { ConfirmDestroy } from '../dialogs/confirm-destroy'
import { type AnyActionResult, callAction, type DataOf, type FormAction, formatReason } from '../forms/call-action'
import type { AnyRead } from '../reads/read-address'
import { type ChangesMade, makeChanges, showAllDone } from '../undo/several'
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

/** refetch: the reads that show the rows. */
type DeleteSeveralProps = DialogProps & { refetch: readonly AnyRead[] }

/** Deletes the selected rows one by one from the page, which has to stay open. changes: those that delete them, in the order of the list. */
export const DeleteEach = ({ changes, ...several }: DeleteSeveralProps & { changes: readonly Change[] }) => (
  <DeleteSeveral {...several} make={(onMade) => makeChanges(changes, onMade)} />
)

/** Deletes the selected rows by a batch, which continues when the page is left. batch: the form that starts it. */
export function DeleteByBatch({ batch, ...several }: DeleteSeveralProps & { batch: Readonly<Record<string, string>> }) {
  const left = useRef<AbortController | null>(null)
  useEffect(() => () => left.current?.abort(), [])
  const make = (onMade: (made: number) => void) => {
    left.current = new AbortController()
    return makeChangesByBatch(batch, left.current.signal, onMade)
  }
  return <DeleteSeveral {...several} make={make} />
}

/** make: deletes them, and says how many are deleted so far. */
type MakeProps = DeleteSeveralProps & { make: (onMade: (made: number) => void) => Promise<Outcome<ChangesMade>> }

/** Offers one Undo for all that were deleted. */
function DeleteSeveral({ make, refetch, ...dialog }: MakeProps) {
  const { noun, names } = dialog
  const [deleted, setDeleted] = useState(0)
  return (
    <DeleteSelected
      {...dialog}
      action={() => {
        setDeleted(0)
        return make(setDeleted)
      }}
      pendingLabel={`${formatCount(deleted)} of ${countOf(names.length, noun)} deleted…`}
      onSettled={() => void refetchReads(refetch)}
      onDone={({ made, undos, stopped }) => {
        showAllDone(formatDeleted(made, noun), undos, { noun, refetch })
        if (stopped) toast.error(`${countOf(names.length - made, noun)} could not be deleted: ${formatReason(stopped)}`)
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
      <OfferedButton variant="danger" refusal={refusal} onClick={() => setAsking(true)}>
        Delete {things}
      </OfferedButton>
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

/**
 * Makes several changes as one batch, which continues without the page, and waits for its end. Fails if no change was made. `onMade` gets how
 * many were made so far.
 */
async function makeChangesByBatch(
  batch: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onMade: (made: number) => void,
): Promise<Outcome<ChangesMade>> {
  const started = await callAction(startBatch, batch)
  if (!started.ok) return { ok: false, problem: started.problem }
  let targets: BatchView['targets'] = []
  await followBatch(started.data.batchId, signal, (news) => {
    targets = news.targets
    onMade(news.counts.done)
  })
  const done = targets.filter(({ state }) => state === 'done')
  const left = targets.find(({ state }) => state !== 'done')
  const stopped = left ? (left.problem ?? { code: 'cancelled' as const, sentence: `${targetStates[left.state].label}.` }) : null
  if (stopped && done.length === 0) return { ok: false, problem: stopped }
  return { ok: true, data: { made: done.length, undos: done.flatMap(({ undo }) => undo ?? []), stopped } }
}
