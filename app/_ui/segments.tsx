import { clsx } from 'clsx'
import { Radio } from './input'

type SegmentsProps<Value extends string> = {
  /** The id of the element that labels the choice. */
  label: string
  name: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** One of two to four values, all visible: native radio buttons in a row. */
export function Segments<Value extends string>({ label, name, value, choices, onChange }: SegmentsProps<Value>) {
  return (
    <div role="radiogroup" aria-labelledby={label} className="flex max-w-full flex-wrap gap-1 rounded-control bg-sunken p-0.5">
      {choices.map((choice) => (
        <Radio
          key={choice.value}
          name={name}
          onChange={onChange}
          chosen={value}
          value={choice.value}
          className={clsx(
            'flex h-7 touch:h-9 cursor-pointer items-center rounded-control border px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
            choice.value === value ? 'border-line bg-surface font-semibold text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
          inputClass="sr-only"
        >
          {choice.label}
        </Radio>
      ))}
    </div>
  )
}
