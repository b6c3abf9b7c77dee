import type { ReachFilter } from '@/lib/portal/views/reach/filter'
import { Choice, Labelled } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { Button, ButtonLink } from '../../_ui/button'
import { Input } from '../../_ui/input'
import { HiddenFields } from './hidden-fields'

/** kept: the members of the query that stay, such as the subject. */
type ReachFilterFormProps = { kept: Readonly<Record<string, string>>; filter: ReachFilter; narrowed: boolean; days: number }

/** Works without scripts. */
export function ReachFilterForm({ kept, filter: { text, unused }, narrowed, days }: ReachFilterFormProps) {
  return (
    <FilterForm action="/reach" label="Filter the table">
      <HiddenFields values={kept} />
      <Labelled label="Text" className="w-64 max-tablet:basis-full">
        {(field) => (
          <Input id={field} name="text" type="search" defaultValue={text} maxLength={200} placeholder="Member, server, site, work" />
        )}
      </Labelled>
      <Choice name="use" label="Use" value={unused ? 'unused' : null} all="All">
        <option value="unused">Unused for {days} days</option>
      </Choice>
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href={`/reach?${new URLSearchParams(kept)}`} variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </FilterForm>
  )
}
