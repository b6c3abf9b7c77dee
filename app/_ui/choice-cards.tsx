import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Radio } from './input'

type Choice<Value extends string> = { value: Value; title: string; description: string; icon?: ReactNode }

type ChoiceCardsProps<Value extends string> = {
  legend: string
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A few alternatives that need a sentence each: native radio buttons, drawn as cards side by side. */
export function ChoiceCards<Value extends string>({ legend, name, choices, value, onChange }: ChoiceCardsProps<Value>) {
  return (
    <fieldset>
      <legend className="mb-2 text-small font-semibold">{legend}</legend>
      <div className="grid gap-3 tablet:grid-cols-2">
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            name={name}
            onChange={onChange}
            chosen={value}
            value={choice.value}
            className={clsx(
              'flex cursor-pointer gap-3 rounded-sheet border p-4 transition-colors duration-120 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              choice.value === value ? 'border-accent bg-selected' : 'border-line bg-surface hover:border-line-strong',
            )}
            inputClass="mt-0.5 size-4 shrink-0 accent-accent outline-none"
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="font-semibold">{choice.title}</span>
              <span className="text-small text-muted">{choice.description}</span>
            </span>
          </Radio>
        ))}
      </div>
    </fieldset>
  )
}
