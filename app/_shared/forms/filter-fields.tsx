import { type ReactNode, useId } from 'react'
import { Select } from '../../_ui/input'
import { SearchSelect } from '../../_ui/search-select'
import { TimeField } from '../../_ui/time-field'

/** The fields of a filter that is a plain GET form. */
export const optionsOf = (words: Readonly<Record<string, string>>): ReactNode =>
  Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

/** How many members of a filter are set. */
export const countSet = (filter: Readonly<Record<string, unknown>>): number =>
  Object.values(filter).filter((value) => value !== null && value !== undefined && value !== '').length

type ChoiceProps = { name: string; label: string; value: string | null; all: string; children: ReactNode }

export function Choice({ name, label, value, all, children }: ChoiceProps) {
  return (
    <Labelled label={label} className="w-40">
      {(id) => (
        <Select id={id} name={name} defaultValue={value ?? ''}>
          <option value="">{all}</option>
          {children}
        </Select>
      )}
    </Labelled>
  )
}

type NamedChoiceProps = Omit<ChoiceProps, 'children'> & { named: readonly { id: string; name: string }[] }

/** One of what a team has, which may be hundreds. */
export function NamedChoice({ name, label, value, all, named }: NamedChoiceProps) {
  const choices = [{ value: '', label: all }, ...named.map((one) => ({ value: one.id, label: one.name }))]
  return (
    <Labelled label={label} className="w-40">
      {(id) => <SearchSelect id={id} name={name} choices={choices} defaultValue={value ?? ''} />}
    </Labelled>
  )
}

/** Members as a filter offers them. */
export const namedPeople = (people: readonly { id: string; name: string; former: boolean }[]) =>
  people.map(({ id, name, former }) => ({ id, name: former ? `${name} (former member)` : name }))

export function Labelled({ label, className, children }: { label: string; className: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={`flex flex-col gap-1 max-tablet:w-[calc(50%-6px)] ${className}`}>
      <label htmlFor={id} className="text-small font-semibold">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

const dayWidth = 'w-36 max-tablet:w-[calc(50%-6px)]'

type DaysProps = { from: string | null; to: string | null }

/** The days from which and up to which, both inclusive, as YYYY-MM-DD. */
export function Days({ from, to }: DaysProps) {
  const reversed = from !== null && to !== null && from > to
  return (
    <>
      <TimeField kind="date" name="from" label="From" className={dayWidth} defaultValue={from ?? ''} />
      <TimeField kind="date" name="to" label="To" className={dayWidth} defaultValue={to ?? ''} />
      {reversed ? (
        <p role="alert" className="order-last w-full text-small text-danger">
          From is after To: no day is between them.
        </p>
      ) : null}
    </>
  )
}
