import { RadioLabel } from './radio-label'

type SegmentsProps<Value extends string> = {
  /** The id of what names the choice. */
  label: string
  name: string
  value: Value
  choices: readonly { value: Value; word: string }[]
  onChange: (value: Value) => void
}

/** One of two to four, all in view: native radio buttons in a row. */
export function Segments<Value extends string>({ label, name, value, choices, onChange }: SegmentsProps<Value>) {
  return (
    <div role="radiogroup" aria-labelledby={label} className="flex max-w-full flex-wrap gap-1 rounded-control bg-sunken p-0.5">
      {choices.map((choice) => {
        const checked = choice.value === value
        const tint = checked ? 'border-line bg-surface font-semibold text-ink' : 'border-transparent text-muted hover:text-ink'
        return (
          <RadioLabel
            key={choice.value}
            {...{ name, checked, onChange }}
            value={choice.value}
            inputClassName="sr-only"
            className={`flex h-7 touch:h-9 cursor-pointer items-center rounded-control border px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus ${tint}`}
          >
            {choice.word}
          </RadioLabel>
        )
      })}
    </div>
  )
}
