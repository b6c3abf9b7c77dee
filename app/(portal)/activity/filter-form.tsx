import Form from 'next/form'
import type { ActivityFilter } from '@/lib/portal/views/activity/filter'
import type { ListedPerson } from '@/lib/portal/views/activity/people'
import { kinds, results } from '@/lib/portal/views/activity/words'
import { Choice, Labelled, optionsOf } from '../../_shared/filter-fields'
import { Button, ButtonLink } from '../../_ui/button'
import { Input } from '../../_ui/input'

type FilterFormProps = { filter: ActivityFilter; people: readonly ListedPerson[]; narrowed: boolean }

/** A plain GET form: the filter is in the address, so it can be shared. */
export function FilterForm({ filter, people, narrowed }: FilterFormProps) {
  return (
    <Form action="/activity" prefetch={false} className="flex flex-wrap items-end gap-3" role="search" aria-label="Filter the activity">
      <Choice name="person" label="Person" value={filter.person} all="Everyone">
        {people.map(({ id, name, former }) => (
          <option key={id} value={id}>
            {former ? `${name} (former member)` : name}
          </option>
        ))}
      </Choice>
      <Choice name="kind" label="Kind" value={filter.kind} all="All">
        {optionsOf(kinds)}
      </Choice>
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="Any">
        {optionsOf(results)}
      </Choice>
      <Labelled label="Target" className="w-40">
        {(id) => <Input id={id} name="target" type="search" defaultValue={filter.target} maxLength={100} placeholder="Part of its name" />}
      </Labelled>
      <Labelled label="From" className="w-36">
        {(id) => <Input id={id} name="from" type="date" defaultValue={filter.from ?? ''} />}
      </Labelled>
      <Labelled label="To" className="w-36">
        {(id) => <Input id={id} name="to" type="date" defaultValue={filter.to ?? ''} />}
      </Labelled>
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href="/activity" variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </Form>
  )
}
