import type { JobFilter } from '@/lib/portal/jobs/filter'
import type { ListedPerson } from '@/lib/portal/subjects/team/people'
import { Choice, Days, NamedChoice, namedPeople, optionsOf } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { jobStates } from '../../_shared/jobs/job-state'
import { Button, ButtonLink } from '../../_ui/button'

type Named = { id: string; name: string }

type JobFilterFormProps = {
  filter: JobFilter
  kinds: readonly Named[]
  servers: readonly Named[]
  people: readonly ListedPerson[]
  narrowed: boolean
}

const outcomes = Object.fromEntries(Object.entries(jobStates).map(([state, { label }]) => [state, label]))

export function JobFilterForm({ filter, kinds, servers, people, narrowed }: JobFilterFormProps) {
  return (
    <FilterForm action="/jobs" label="Filter the jobs">
      <NamedChoice name="kind" label="Kind" value={filter.kind} all="All" named={kinds} />
      <NamedChoice name="server" label="Server" value={filter.server} all="All" named={servers} />
      <NamedChoice name="person" label="Started by" value={filter.person} all="Everyone" named={namedPeople(people)} />
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="Any">
        {optionsOf(outcomes)}
      </Choice>
      <Days from={filter.from} to={filter.to} />
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href="/jobs" variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </FilterForm>
  )
}
