import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { jobTitleFormat } from '@/app/_shared/jobs/job-state'
import { zoneCookie } from '@/app/_shared/preferences/zone-cookie'
import { ButtonLink } from '@/app/_ui/button'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { RelativeTime } from '@/app/_ui/relative-time'
import { findOperation } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { type Actor, requireActor } from '@/lib/portal/identity/actor'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { findJob, type JobView, readJobEvents } from '@/lib/portal/jobs/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { JobPart } from './job-part'

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
  return { title: job.title }
}

export default async function JobPage({ params }: Props) {
  const { actor, job } = await findPageJob((await params).jobId)
  const [server, lines] = await Promise.all([
    job.serverId ? findServer(actor, job.serverId) : null,
    readJobEvents(actor, job.id, 0, linesAtOnce),
  ])
  const extensions = server?.extensions ?? false
  const may = await mayRepeat(actor, job)
  const timeZone = zoneFor(actor.preferences, (await cookies()).get(zoneCookie)?.value)
  return (
    <SandboxFrame sandbox={server?.sandbox ?? false}>
      <PageHead
        trail={[{ href: '/jobs', name: 'Jobs' }]}
        title={jobTitleFormat({ timeZone, now: Date.now() })(job)}
        facts={
          <span className="text-small text-muted">
            {job.isEvent ? (
              <>
                <RelativeTime at={job.startedAt} />, by the server’s own timer
              </>
            ) : (
              <>
                Started <RelativeTime at={job.startedAt} /> by {job.startedBy || 'a former member'}
              </>
            )}
          </span>
        }
        actions={server ? <ButtonLink href={`/servers/${server.id}`}>View server</ButtonLink> : null}
      />
      <PageBody>
        <JobPart key={job.id} job={job} lines={lines} serverId={server?.id ?? null} extensions={extensions} may={may} />
      </PageBody>
    </SandboxFrame>
  )
}

/** Cancelling and starting again take the right to what the job does, there. */
async function mayRepeat(actor: Actor, { operation, siteId, serverId }: JobView): Promise<boolean> {
  const found = operation === null ? undefined : findOperation(operation)
  const target = siteId === null ? (serverId === null ? {} : { serverId }) : { siteId }
  return found ? (await findOffers(actor, target))(found) : mayRun(actor.role, 'change')
}
