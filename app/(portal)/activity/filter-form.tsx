import type { ListedPerson } from '@/lib/portal/subjects/team/people'
import type { ActivityFilter } from '@/lib/portal/views/activity/filter'
import { kinds, results } from '@/lib/portal/views/activity/words'
import { Choice, Days, Labelled, NamedChoice, namedPeople, optionsOf } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { Button, ButtonLink } from '../../_ui/button'
import { Input } from '../../_ui/input'

type ActivityFilterFormProps = { filter: ActivityFilter; people: readonly ListedPerson[]; narrowed: boolean }

export function ActivityFilterForm({ filter, people, narrowed }: ActivityFilterFormProps) {
  return (
    <FilterForm action="/activity" label="Filter the activity">
      <NamedChoice name="person" label="Person" value={filter.person} all="Everyone" named={namedPeople(people)} />
      <Choice name="kind" label="Kind" value={filter.kind} all="All">
        {optionsOf(kinds)}
      </Choice>
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="Any">
        {optionsOf(results)}
      </Choice>
      <Labelled label="Target" className="w-40">
        {(id) => <Input id={id} name="target" type="search" defaultValue={filter.target} maxLength={100} placeholder="Part of its name" />}
      </Labelled>
      <Days from={filter.from} to={filter.to} />
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href="/activity" variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </FilterForm>
  )
}
