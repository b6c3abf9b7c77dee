import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { listBatches } from '@/lib/portal/batches/view'
import { requireActor } from '@/lib/portal/identity/actor'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { readJobFilter, whereOf, writeJobFilter } from '@/lib/portal/jobs/filter'
import { listJobChoices, listJobs } from '@/lib/portal/jobs/view'
import { listPeople } from '@/lib/portal/subjects/team/people'
import { zoneCookie } from '../../_shared/preferences/zone-cookie'
import { PageBody, PageHead } from '../../_ui/page-head'
import { BatchList } from './batch-list'
import { JobFilterForm } from './filter-form'
import { JobTable } from './job-table'

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
        <JobTable first={{ ok: true, data: jobs }} query={asked} narrowed={narrowed} />
      </PageBody>
    </>
  )
}
