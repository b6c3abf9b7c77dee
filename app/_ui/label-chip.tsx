import { clsx } from 'clsx'
import { KeyRound, X } from 'lucide-react'

// Colours tell labels apart and mean nothing: none of them is the colour of a state.
const looks = [
  'bg-label-1-bg text-label-1',
  'bg-label-2-bg text-label-2',
  'bg-label-3-bg text-label-3',
  'bg-label-4-bg text-label-4',
  'bg-label-5-bg text-label-5',
  'bg-label-6-bg text-label-6',
]

/** The same name has the same colour everywhere. */
function chipOf(name: string): string | undefined {
  let hash = 0
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 65_521
  return looks[hash % looks.length]
}

type LabelChipProps = {
  name: string
  /** That it gives access, in words; a key shows it. */
  gives?: string | undefined
  /** Shows a small cross that removes the label. */
  onRemove?: (() => void) | undefined
  className?: string
}

/** A user's label. */
export function LabelChip({ name, gives, onRemove, className }: LabelChipProps) {
  return (
    <span
      title={gives ? `${name}. ${gives}` : name}
      className={clsx(
        'inline-flex h-5.5 min-w-0 items-center rounded-control text-chip font-semibold',
        chipOf(name),
        onRemove ? 'pl-1.5' : 'px-1.5',
        className,
      )}
    >
      {gives ? <KeyRound role="img" aria-label={gives} size={12} strokeWidth={2} className="mr-1 shrink-0" /> : null}
      <span className="truncate">{name}</span>
      {onRemove ? (
        <button
          type="button"
          aria-label={`Remove the label ${name}`}
          onClick={onRemove}
          className="-my-1 inline-flex size-6 touch:size-9 shrink-0 items-center justify-center rounded-control hover:bg-ink/10"
        >
          <X aria-hidden size={12} strokeWidth={2} />
        </button>
      ) : null}
    </span>
  )
}

/** A short label without a state. `sandbox` must not be overlooked. */
export function Tag({ label, variant = 'plain' }: { label: string; variant?: 'plain' | 'sandbox' }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5.5 items-center rounded-chip px-2 text-chip font-semibold whitespace-nowrap',
        variant === 'sandbox' ? 'bg-sandbox text-on-sandbox' : 'border border-line text-muted',
      )}
    >
      {label}
    </span>
  )
}
