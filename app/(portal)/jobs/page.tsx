import type { Metadata } from 'next'
import { requireActor } from '@/lib/portal/identity/actor'
import { listJobs } from '@/lib/portal/jobs/view'
import { PageBody, PageHead } from '../../_ui/page-head'
import { JobTable } from './job-table'

export const metadata: Metadata = { title: 'Jobs' }

export default async function JobsPage() {
  const actor = await requireActor()
  return (
    <>
      <PageHead title="Jobs" />
      <PageBody>
        <JobTable first={{ ok: true, data: await listJobs(actor) }} />
      </PageBody>
    </>
  )
}
