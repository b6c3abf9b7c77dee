import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { listBatches } from '@/lib/portal/batches/view'
import { requireActor } from '@/lib/portal/identity/actor'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { type JobFilter, readJobFilter, whereOf, writeJobFilter } from '@/lib/portal/jobs/filter'
import { type JobView, listJobChoices, listJobs } from '@/lib/portal/jobs/view'
import { type ListedPerson, listPeople } from '@/lib/portal/subjects/team/people'
import { Choice, countSet, Days, NamedChoice, namedPeople, optionsOf } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { jobStates, jobTitleFormat } from '../../_shared/jobs/job-state'
import { zoneCookie } from '../../_shared/preferences/zone-cookie'
import { Button, ButtonLink } from '../../_ui/button'
import { PageBody, PageHead } from '../../_ui/page-head'
import { BatchList, JobTable } from './job-table'

export const metadata: Metadata = { title: 'Jobs' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The team's jobs. The filter works without scripts. */
export default async function JobsPage({ searchParams }: Search) {
  const actor = await requireActor()
  const filter = readJobFilter(await searchParams)
  const zone = zoneFor(actor.preferences, (await cookies()).get(zoneCookie)?.value)
  const { server: on, ...query } = writeJobFilter(filter)
  const narrowed = on !== undefined || Object.keys(query).length > 0
  const asked = narrowed ? { ...query, ...(on !== undefined && { on }), zone } : {}
  const [batches, jobs, choices, people] = await Promise.all([
    narrowed ? [] : listBatches(actor),
    listJobs(actor, whereOf(filter, zone)),
    listJobChoices(actor),
    listPeople(actor),
  ])
  return (
    <>
      <PageHead title="Jobs" />
      <PageBody>
        {jobs.length === 0 && !narrowed ? null : (
          <JobFilterForm key={new URLSearchParams(asked).toString()} {...choices} filter={filter} people={people} narrowed={narrowed} />
        )}
        {narrowed ? null : <BatchList first={batches} />}
        <JobTable first={{ ok: true, data: jobs }} titles={titlesOf(jobs, zone)} query={asked} narrowed={narrowed} />
      </PageBody>
    </>
  )
}

/** By the id of the job. */
function titlesOf(jobs: readonly JobView[], timeZone: string): Record<string, string> {
  const titleOf = jobTitleFormat({ timeZone, now: Date.now() })
  return Object.fromEntries(jobs.map((job) => [job.id, titleOf(job)]))
}

type Named = { id: string; name: string }

type JobFilterFormProps = {
  filter: JobFilter
  kinds: readonly Named[]
  servers: readonly Named[]
  people: readonly ListedPerson[]
  narrowed: boolean
}

const outcomes = Object.fromEntries(Object.entries(jobStates).map(([state, { label }]) => [state, label]))

function JobFilterForm({ filter, kinds, servers, people, narrowed }: JobFilterFormProps) {
  return (
    <FilterForm action="/jobs" label="Filter the jobs" active={countSet(filter)}>
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
