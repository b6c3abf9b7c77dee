import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireActor } from '@/lib/portal/identity/actor'
import { findJob, readJobEvents } from '@/lib/portal/jobs/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { JobProgress } from '../../../_shared/jobs/job-progress'
import { formatJob } from '../../../_shared/jobs/job-state'
import { SandboxFrame } from '../../../_shared/sandbox-frame'
import { ButtonLink } from '../../../_ui/button'
import { PageBody, PageHead } from '../../../_ui/page-head'
import { RelativeTime } from '../../../_ui/relative-time'

type Props = { params: Promise<{ jobId: string }> }

/** How many lines come with the page; the stream brings the rest. */
const linesAtOnce = 5000

const findPageJob = cache(async (jobId: string) => {
  const actor = await requireActor()
  const job = await findJob(actor, jobId)
  return job ? { actor, job } : notFound()
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { job } = await findPageJob((await params).jobId)
  return { title: formatJob(job) }
}

export default async function JobPage({ params }: Props) {
  const { actor, job } = await findPageJob((await params).jobId)
  const [server, lines] = await Promise.all([
    job.serverId ? findServer(actor, job.serverId) : null,
    readJobEvents(actor, job.id, 0, linesAtOnce),
  ])
  // Trying again is offered on the server's install page, which shows its newest install.
  const onward = server ? <ButtonLink href={`/servers/${server.id}/install`}>View install</ButtonLink> : null
  return (
    <SandboxFrame sandbox={server?.sandbox ?? false}>
      <PageHead
        trail={[{ href: '/jobs', name: 'Jobs' }]}
        title={formatJob(job)}
        facts={
          <span className="text-small text-muted">
            Started <RelativeTime at={job.startedAt} /> by {job.startedBy || 'a former member'}
          </span>
        }
        actions={server ? <ButtonLink href={`/servers/${server.id}`}>View server</ButtonLink> : null}
      />
      <PageBody>
        <JobProgress job={job} lines={lines} attaches={server?.extensions ?? false} tryAgain={onward} next={null} />
      </PageBody>
    </SandboxFrame>
  )
}
