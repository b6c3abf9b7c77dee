import { formatCount } from '../../_ui/count'

type RestorableProps = {
  /** How many will be deleted, and how many of them cannot be restored. */
  count: number
  lost: number
  /** Why those cannot be restored, as the second half of a sentence about several. */
  reason: string
}

/** Says before several things are deleted which of them Undo can restore. */
export function Restorable({ count, lost, reason }: RestorableProps) {
  if (lost === 0) return <p>You can restore {count === 1 ? 'it' : 'them'} right away, or later from Activity.</p>
  return (
    <p>
      <strong className="font-semibold text-danger">
        {lost === count ? (count === 1 ? 'It' : 'They') : `${formatCount(lost)} of them`} cannot be restored: {reason}.
      </strong>
      {lost < count ? ' You can restore the others right away, or later from Activity.' : null}
    </p>
  )
}
