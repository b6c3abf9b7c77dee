import Form from 'next/form'
import type { JobFilter } from '@/lib/portal/jobs/filter'
import type { ListedPerson } from '@/lib/portal/views/activity/people'
import { Choice, Labelled, optionsOf } from '../../_shared/filter-fields'
import { jobStates } from '../../_shared/jobs/job-state'
import { Button, ButtonLink } from '../../_ui/button'
import { Input } from '../../_ui/input'

type Named = { id: string; name: string }

type FilterFormProps = {
  filter: JobFilter
  kinds: readonly Named[]
  servers: readonly Named[]
  people: readonly ListedPerson[]
  narrowed: boolean
}

const outcomes = Object.fromEntries(Object.entries(jobStates).map(([state, { label }]) => [state, label]))

/** A plain GET form: the filter is in the address, so it can be shared. */
export function FilterForm({ filter, kinds, servers, people, narrowed }: FilterFormProps) {
  return (
    <Form action="/jobs" prefetch={false} className="flex flex-wrap items-end gap-3" role="search" aria-label="Filter the jobs">
      <Choice name="kind" label="Kind" value={filter.kind} all="All">
        {optionsOf(namesOf(kinds))}
      </Choice>
      <Choice name="server" label="Server" value={filter.server} all="All">
        {optionsOf(namesOf(servers))}
      </Choice>
      <Choice name="person" label="Started by" value={filter.person} all="Everyone">
        {people.map(({ id, name, former }) => (
          <option key={id} value={id}>
            {former ? `${name} (former member)` : name}
          </option>
        ))}
      </Choice>
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="Any">
        {optionsOf(outcomes)}
      </Choice>
      <Labelled label="From" className="w-36">
        {(id) => <Input id={id} name="from" type="date" defaultValue={filter.from ?? ''} />}
      </Labelled>
      <Labelled label="To" className="w-36">
        {(id) => <Input id={id} name="to" type="date" defaultValue={filter.to ?? ''} />}
      </Labelled>
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href="/jobs" variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </Form>
  )
}

const namesOf = (named: readonly Named[]): Record<string, string> => Object.fromEntries(named.map(({ id, name }) => [id, name]))
